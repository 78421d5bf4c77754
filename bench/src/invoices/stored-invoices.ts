import type { Client } from 'pg'
import { rest } from '../rest'
import { EVERY_METHOD } from './every-method'

export type Stock = {
  /** The measured seller: the first of `sellers`, who gets one invoice in every `sellers`. */
  sellerId: number
  sellers: number
  rows: number
}

const BATCH_SIZE = 20_000
const DAYS = 3 * 365
const CUSTOMERS = 200
const PRODUCTS = 20
const NUMBER_DIGITS = 9
const VACUUMS = 600
/** Far above the ids that the service assigns. */
const FIRST_REFERENCE = 1_000_000
/** The document of the customer with the most invoices. */
export const DOCUMENT = '12345678909'

/** The ids of a customer and a product of the measured seller. */
export const REFERENCES = { customerId: FIRST_REFERENCE, productId: FIRST_REFERENCE }

/** Returns the number of the n-th invoice stored. */
export function numberOf(n: number): string {
  return String(n).padStart(NUMBER_DIGITS, '0')
}

/**
 * Stores invoices of the last three years, assigned to the sellers in turn, so that one seller's rows lie apart.
 * Most are paid, recent ones are open or pending, and customers buy unevenly. Nothing is random.
 */
export async function storeInvoices(
  invoices: Client,
  stock: Stock,
  progress: (text: string) => void,
): Promise<void> {
  // These rows are consistent by construction, and nobody needs them after a crash.
  await invoices.query('SET session_replication_role = replica')
  await invoices.query('SET synchronous_commit = off')
  await invoices.query(STORE_CUSTOMERS, [stock.sellerId, stock.sellers])
  await invoices.query(STORE_PRODUCTS, [stock.sellerId, stock.sellers])
  const { rows } = await invoices.query<{ last: string }>('SELECT coalesce(max(id), 0) AS last FROM invoices')
  const last = Number(rows[0]?.last)
  for (let done = 0; done < stock.rows; done += BATCH_SIZE) {
    const to = Math.min(done + BATCH_SIZE, stock.rows)
    await invoices.query(STORE_INVOICES, [
      stock.sellerId,
      stock.sellers,
      last,
      done + 1,
      to,
      stock.rows,
      DAYS,
    ])
    progress(`${to} of ${stock.rows} invoices stored`)
  }
  await invoices.query(
    "SELECT setval(pg_get_serial_sequence('invoices', 'id'), (SELECT max(id) FROM invoices))",
  )
  await invoices.query(STORE_NUMBERS)
  await settleRows(invoices)
  await invoices.query('CHECKPOINT')
}

/**
 * Vacuums as if the database had grown slowly: otherwise its upkeep would fall into the measurement. While an older
 * transaction is open, VACUUM cannot mark rows as visible to all, which index-only reads of lists need.
 */
async function settleRows(invoices: Client): Promise<void> {
  for (let left = VACUUMS; left > 0; left--) {
    await invoices.query('VACUUM ANALYZE')
    const { rows } = await invoices.query<{ settled: boolean }>(
      `SELECT relallvisible > 0.99 * relpages - 1 AS settled FROM pg_class WHERE relname = 'invoices'`,
    )
    if (rows[0]?.settled) return
    await rest(1)
  }
  const { rows } = await invoices.query<{ holder: string }>(OLDEST_SNAPSHOT)
  throw new Error(`VACUUM could not settle the invoices: ${rows[0]?.holder ?? 'no transaction is open'}`)
}

const OLDEST_SNAPSHOT = `
  SELECT concat_ws(' ', backend_type, application_name, 'since', xact_start, query) AS holder FROM pg_stat_activity
  WHERE backend_xmin IS NOT NULL AND pid <> pg_backend_pid() ORDER BY age(backend_xmin) DESC LIMIT 1`

const SELLER_OF = (n: string) =>
  `CASE ${n} % $2::int WHEN 0 THEN $1::bigint ELSE ${FIRST_REFERENCE} + ${n} % $2 END`

const STORE_CUSTOMERS = `
  INSERT INTO customers (id, seller_id, name, name_key, document, email, email_key, created_at, updated_at) OVERRIDING SYSTEM VALUE
  SELECT ${FIRST_REFERENCE} + n, ${SELLER_OF(`(n / ${CUSTOMERS})`)}, 'Cliente ' || n, 'cliente ' || n,
    CASE n % ${CUSTOMERS} WHEN 0 THEN '${DOCUMENT}' ELSE lpad((10000000000 + n)::text, 11, '0') END,
    'cliente' || n || '@example.com', 'cliente' || n || '@example.com', now() - interval '3 years', now()
  FROM generate_series(0, $2::int * ${CUSTOMERS} - 1) AS n ON CONFLICT DO NOTHING`

const STORE_PRODUCTS = `
  INSERT INTO products (id, seller_id, product_type, name, name_key, value, active, methods, fee_pass_through, created_at, updated_at)
    OVERRIDING SYSTEM VALUE
  SELECT ${FIRST_REFERENCE} + n, ${SELLER_OF(`(n / ${PRODUCTS})`)}, 'ONETIME', 'Produto ' || n, 'produto ' || n, 9900, true, '[]', false,
    now() - interval '3 years', now()
  FROM generate_series(0, $2::int * ${PRODUCTS} - 1) AS n ON CONFLICT DO NOTHING`

/** Returns SQL for a number from 0 to 1, different for each `draw`. */
const drawn = (draw: number) => `((hashint8extended($3::bigint + n, ${draw}) & 1048575) / 1048576.0)::float8`

const STORE_INVOICES = `
  WITH drawn AS (
    SELECT n, $3 + n AS id, ${SELLER_OF('n')} AS seller_id, n % $2 AS seller,
      floor(power(${drawn(1)}, 2) * ${CUSTOMERS})::int AS customer, floor(${drawn(2)} * ${PRODUCTS})::int AS product,
      (1 + floor(${drawn(3)} * 3))::int AS items, (1000 + floor(${drawn(4)} * 50000))::bigint AS price, ${drawn(5)} AS fate,
      now() - $7::float8 * interval '1 day' * (1 - n / $6::float8) AS created_at,
      now() - $7::float8 * interval '1 day' * (1 - n / $6::float8) + (5 + ${drawn(6)} * 55) * interval '1 day' AS due_date,
      ${drawn(7)} AS haste
    FROM generate_series($4::int, $5::int) AS n),
  fated AS (
    SELECT *, CASE
      WHEN due_date < now() - interval '3 days' THEN (CASE WHEN fate < 0.78 THEN 'PAID' WHEN fate < 0.87 THEN 'CLOSED'
        WHEN fate < 0.93 THEN 'CANCELLED' WHEN fate < 0.98 THEN 'UNCOLLECTIBLE' ELSE 'OPEN' END)
      ELSE (CASE WHEN fate < 0.5 THEN 'CLOSED' WHEN fate < 0.7 THEN 'PAID' WHEN fate < 0.95 THEN 'OPEN' ELSE 'CANCELLED' END)
      END::invoice_status AS status,
      (due_date AT TIME ZONE 'America/Sao_Paulo')::date + 1 AS late_on,
      created_at + least(haste * interval '3 days', now() - created_at) AS closed_at
    FROM drawn),
  made AS (
    INSERT INTO invoices (id, seller_id, public_id, status, invoice_number, customer_id, customer_name, customer_document,
      customer_email, due_date, late_on, close_date, payment_date, past_due_notified, amount, paid_amount, refunded_amount, open_principal,
      accepted_methods, splits, fine, interest, sequence, created_at, updated_at) OVERRIDING SYSTEM VALUE
    SELECT f.id, f.seller_id, encode(uuid_send(gen_random_uuid()), 'hex'), f.status, lpad(f.id::text, ${NUMBER_DIGITS}, '0'), c.id, c.name,
      c.document, c.email, f.due_date, f.late_on, CASE WHEN f.status <> 'OPEN' THEN f.closed_at END,
      CASE WHEN f.status = 'PAID' THEN least(now(), greatest(f.closed_at, f.due_date + (f.haste - 0.7) * interval '20 days')) END,
      f.status IN ('OPEN', 'CLOSED') AND f.late_on <= (now() AT TIME ZONE 'America/Sao_Paulo')::date,
      f.price * f.items, CASE WHEN f.status = 'PAID' THEN f.price * f.items ELSE 0 END, 0,
      CASE WHEN f.status = 'PAID' THEN 0 ELSE f.price * f.items END, ${EVERY_METHOD}, '[]',
      CASE WHEN f.id % 3 = 0 THEN '{"percentageBps":200,"amountInCents":null,"startsAfterDays":1}'::json END,
      CASE WHEN f.id % 3 = 0 THEN '{"monthlyPercentageBps":100,"dailyAmountInCents":null,"startsAfterDays":1}'::json END,
      2, f.created_at, f.closed_at
    FROM fated f JOIN customers c ON c.id = ${FIRST_REFERENCE} + f.seller * ${CUSTOMERS} + f.customer ORDER BY f.id),
  charged AS (
    INSERT INTO invoice_charges (seller_id, invoice_id, status, amount, method, created_at, updated_at)
    SELECT seller_id, id, CASE status WHEN 'PAID' THEN 'PAID' WHEN 'CANCELLED' THEN 'CANCELLED' ELSE 'PENDING' END::invoice_charge_status,
      price * items, CASE status WHEN 'PAID' THEN 'CREDIT_CARD' END::movement_method, closed_at, closed_at FROM fated WHERE status <> 'OPEN' ORDER BY id)
  INSERT INTO invoice_items (invoice_id, id, product_id, description, quantity, unit_price)
  SELECT f.id, item, p.id, p.name, 1, f.price FROM fated f, generate_series(1, f.items) AS item, products p
  WHERE p.id = ${FIRST_REFERENCE} + f.seller * ${PRODUCTS} + f.product ORDER BY f.id, item`

const STORE_NUMBERS = `
  INSERT INTO invoice_numbers (seller_id, last) SELECT seller_id, max(id) FROM invoices GROUP BY seller_id
  ON CONFLICT (seller_id) DO UPDATE SET last = excluded.last`
