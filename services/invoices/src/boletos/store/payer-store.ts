import type { Db } from '@cofre/platform/postgres/postgres'
import type { Payer } from '../rules/boleto'
import type { Invoice } from '../../invoice/rules/invoice'

type Address = {
  street: string | null
  streetNumber: string | null
  lineTwo: string | null
  neighborhood: string | null
  city: string | null
  state: string | null
  zipCode: string | null
}

/** The payer as printed on an invoice, with the customer's current address; empty when the customer is deleted. */
export async function findPayer(db: Db, { sellerId, customer }: Invoice): Promise<Payer> {
  const { rows } = await db.query<Address>({
    name: 'find-payer-address',
    text: `SELECT street, street_number AS "streetNumber", line_two AS "lineTwo", neighborhood, city, state,
        zip_code AS "zipCode" FROM customers WHERE id = $1 AND seller_id = $2`,
    values: [customer.id, sellerId],
  })
  const { name, document } = customer
  return { name, document, address: rows[0] ? oneLine(rows[0]) : '' }
}

function oneLine({ street, streetNumber, lineTwo, neighborhood, city, state, zipCode }: Address): string {
  const place = [city, state].filter((part) => part !== null).join(' - ')
  const zip = zipCode?.replace(/^(\d{5})(\d{3})$/, '$1-$2')
  const parts = [street, streetNumber, lineTwo, neighborhood, place, zip]
  return parts.filter((part) => part !== null && part !== undefined && part !== '').join(', ')
}
