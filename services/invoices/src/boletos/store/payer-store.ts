import type { Db } from '@cofre/platform/postgres/postgres'
import type { Payer, PayerPlace } from '../rules/boleto'
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
  const [address] = rows
  if (!address) return { name, document, address: '', place: null }
  return { name, document, address: oneLine(address), place: placeOf(address) }
}

/** Banks register a payer with street, city, UF and CEP, or with none of them. */
function placeOf(address: Address): PayerPlace | null {
  const { street, streetNumber, lineTwo, neighborhood, city, state, zipCode } = address
  if (!street || !city || !state || !zipCode) return null
  const whole = [street, streetNumber, lineTwo].filter((part) => part !== null && part !== '')
  return { street: whole.join(', '), neighborhood: neighborhood ?? '', city, state, zipCode }
}

function oneLine({ street, streetNumber, lineTwo, neighborhood, city, state, zipCode }: Address): string {
  const place = [city, state].filter((part) => part !== null).join(' - ')
  const zip = zipCode?.replace(/^(\d{5})(\d{3})$/, '$1-$2')
  const parts = [street, streetNumber, lineTwo, neighborhood, place, zip]
  return parts.filter((part) => part !== null && part !== undefined && part !== '').join(', ')
}
