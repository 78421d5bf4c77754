import { notFound } from '@cofre/platform/errors'
import type { ListPage } from '@cofre/platform/list-page'
import {
  assigned,
  changing,
  changingTime,
  fixed,
  fixedTime,
  table,
  type Row,
} from '@cofre/platform/postgres/columns'
import { readList, type ListRequest } from '@cofre/platform/postgres/list-search'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import type { Customer } from './customer'

export type CustomerKey = { sellerId: number; id: number }

/** The one place that names the columns of a customer. */
const CUSTOMERS = table<Customer>({
  id: assigned,
  sellerId: fixed,
  name: changing,
  document: changing,
  birthdate: changing,
  phone: { prefix: 'phone_', fields: { countryCode: changing, areaCode: changing, number: changing } },
  email: changing,
  address: {
    fields: {
      street: changing,
      streetNumber: changing,
      lineTwo: changing,
      neighborhood: changing,
      state: changing,
      zipCode: changing,
      city: changing,
    },
  },
  createdAt: fixedTime,
  updatedAt: changingTime,
})

const SELECT_CUSTOMER = 'SELECT row_to_json(t) AS row FROM customers t'

function customerOf({ row }: { row: Row }): Customer {
  return CUSTOMERS.fromRow(row)
}

export async function insertCustomer(db: Db, customer: Omit<Customer, 'id'>): Promise<Customer> {
  const { rows } = await db.query<{ row: Row }>({
    name: 'insert-customer',
    text: `INSERT INTO customers AS t (${CUSTOMERS.inserted()})
      SELECT ${CUSTOMERS.inserted('r')} FROM json_populate_record(null::customers, $1::json) r
      RETURNING row_to_json(t) AS row`,
    values: [JSON.stringify(CUSTOMERS.toRow({ ...customer, id: 0 }))],
  })
  return customerOf(rows[0] as { row: Row })
}

/** NOT_FOUND also for another seller's. */
export async function readCustomer(db: Db, { sellerId, id }: CustomerKey): Promise<Customer> {
  const { rows } = await db.query<{ row: Row }>({
    name: 'read-customer',
    text: `${SELECT_CUSTOMER} WHERE t.id = $1 AND t.seller_id = $2`,
    values: [id, sellerId],
  })
  if (!rows[0]) throw notFound()
  return customerOf(rows[0])
}

/** Replaces every field. NOT_FOUND also for another seller's. */
export async function replaceCustomer(db: Db, customer: Omit<Customer, 'createdAt'>): Promise<Customer> {
  const { rows } = await db.query<{ row: Row }>({
    name: 'replace-customer',
    text: `UPDATE customers t SET ${CUSTOMERS.updated('r')}
      FROM json_populate_record(null::customers, $1::json) r WHERE t.id = $2 AND t.seller_id = $3
      RETURNING row_to_json(t) AS row`,
    values: [
      JSON.stringify(CUSTOMERS.toRow({ ...customer, createdAt: customer.updatedAt })),
      customer.id,
      customer.sellerId,
    ],
  })
  if (!rows[0]) throw notFound()
  return customerOf(rows[0])
}

/** Nothing of the customer stays here. False when the seller has no such customer. */
export async function deleteCustomer(db: Db, { sellerId, id }: CustomerKey): Promise<boolean> {
  const { rowCount } = await db.query('DELETE FROM customers WHERE id = $1 AND seller_id = $2', [
    id,
    sellerId,
  ])
  return rowCount === 1
}

export type CustomerFilter = {
  sellerId: number
  document: string | undefined
  /** Email and name: the whole of it, in upper or lower case. */
  email: string | undefined
  name: string | undefined
}

/** A page of a seller's customers, newest first. Throws PAGE_TOO_DEEP. */
export async function listCustomers(
  pool: Pool,
  { sellerId, document, email, name }: CustomerFilter,
  request: ListRequest,
): Promise<ListPage<Customer>> {
  const conditions = [
    ['t.document = $', document],
    ['lower(t.email) = lower($)', email],
    ['lower(t.name) = lower($)', name],
  ] as const
  const list = { table: 'customers', select: SELECT_CUSTOMER, sellerId, conditions, statuses: [] }
  const { entries, ...end } = await readList<{ row: Row }>(pool, list, request)
  return { entries: entries.map(customerOf), ...end }
}
