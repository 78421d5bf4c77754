import type { Client } from 'pg'

export type RecurringStock = { sellerId: number; sellers: number; rows: number }

/** Far above the ids that the service assigns; the first customer and product are the measured seller's. */
const FIRST = 1_000_000
const CUSTOMERS = 1_000
/** The next cycle is two weeks later, so nobody is billed twice during the measurement. */
const WEEKS = 'BIWEEKLY'
const EVERY_METHOD = `'[{"method":"CREDIT_CARD"},{"method":"BOLETO"}]'::json`

const SELLER_OF = (n: string) => `CASE ${n} % $2::int WHEN 0 THEN $1::bigint ELSE ${FIRST} + ${n} % $2 END`

const STORE_CUSTOMERS = `
  INSERT INTO customers (id, seller_id, name, name_key, document, email, email_key, created_at, updated_at) OVERRIDING SYSTEM VALUE
  SELECT ${FIRST} + n, ${SELLER_OF('n')}, 'Cliente ' || n, 'cliente ' || n, lpad((10000000000 + n)::text, 11, '0'),
    'cliente' || n || '@example.com', 'cliente' || n || '@example.com', now(), now()
  FROM generate_series(0, ${CUSTOMERS} * $2::int - 1) AS n`

const STORE_PRODUCTS = `
  INSERT INTO products (id, seller_id, product_type, name, name_key, value, active, methods, fee_pass_through, created_at, updated_at)
    OVERRIDING SYSTEM VALUE
  SELECT ${FIRST} + n, ${SELLER_OF('n')}, 'RECURRING', 'Plano ' || n, 'plano ' || n, 9900, true, '[]', false, now(), now()
  FROM generate_series(0, $2::int - 1) AS n`

const STORE_RECURRING = `
  INSERT INTO recurring_invoices (id, seller_id, kind, status, customer_id, customer_document, frequency, collection_method,
    days_until_due, anchor_day, accepted_methods, splits, next_cycle_day, sequence, created_at, updated_at) OVERRIDING SYSTEM VALUE
  SELECT ${FIRST} + n, ${SELLER_OF('n')}, 'RECURRING', 'ACTIVE', ${FIRST} + n % (${CUSTOMERS} * $2),
    lpad((10000000000 + n % (${CUSTOMERS} * $2))::text, 11, '0'), '${WEEKS}', 'SEND_INVOICE', 5, $4::date,
    ${EVERY_METHOD}, '[]', $4::date, 1, now(), now()
  FROM generate_series(0, $3::int - 1) AS n`

const STORE_ITEMS = `
  INSERT INTO recurring_items (recurring_invoice_id, id, product_id, description, quantity, unit_price)
  SELECT ${FIRST} + n, 1, ${FIRST} + n % $1::int, 'Plano', 1, 9900 FROM generate_series(0, $2::int - 1) AS n`

/** Stores active recurring invoices, assigned to the sellers in turn, whose cycles are all due on a day, YYYY-MM-DD. */
export async function storeRecurring(
  invoices: Client,
  { sellerId, sellers, rows }: RecurringStock,
  day: string,
): Promise<void> {
  await invoices.query('BEGIN')
  await invoices.query(STORE_CUSTOMERS, [sellerId, sellers])
  await invoices.query(STORE_PRODUCTS, [sellerId, sellers])
  await invoices.query(STORE_RECURRING, [sellerId, sellers, rows, day])
  await invoices.query(STORE_ITEMS, [sellers, rows])
  await invoices.query('COMMIT')
  // Only these tables: for a table analyzed while empty, PostgreSQL plans as if it stayed empty, even for foreign keys.
  await invoices.query('VACUUM ANALYZE customers, products, recurring_invoices, recurring_items')
}
