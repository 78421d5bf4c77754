import { COUNTED_MAX, unknownAfter } from '@cofre/platform/list-page'
import { placeOf, timeAt } from '@cofre/platform/list-place'
import { TIME_ZONE, type CalendarDay } from '@cofre/platform/calendar-day'
import type { Row } from '@cofre/platform/postgres/columns'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { INVOICES } from '../invoice/store/invoice-columns'
import type { OwedInvoice } from './aging'

/** As the partial indexes say it. */
const OWED = `t.status = 'CLOSED' AND (t.payment_link_product_id IS NULL OR t.paid_amount > 0)`

/** The most invoices that are read of a customer. */
export const READ_MAX = 1_000

const READ = `t.id, t.invoice_number, t.customer_id, t.customer_name, t.customer_document, t.status, t.due_date, t.late_from,
  t.late_on, t.open_principal, t.open_fine, t.open_interest, t.open_counted_to, t.fine, t.interest`

/** `name` and `document` are null of a customer who is deleted. One invoice more than READ_MAX: there may be others. */
export type Debtor = {
  customerId: number
  name: string | null
  document: string | null
  invoices: OwedInvoice[]
}

/** What some customers owe, in the order in which they are named, each of their oldest invoices first. */
export async function readDebtors(
  pool: Pool,
  { sellerId, customerIds }: { sellerId: number; customerIds: readonly number[] },
): Promise<Debtor[]> {
  const { rows } = await pool.query<Omit<Debtor, 'invoices'> & { invoices: Row[] | null }>({
    name: 'read-debtors',
    text: `SELECT asked.id AS "customerId", c.name, c.document, (SELECT json_agg(row_to_json(o)) FROM (
          SELECT ${READ} FROM invoices t WHERE t.seller_id = $1 AND t.customer_id = asked.id AND ${OWED}
          ORDER BY t.late_on, t.id LIMIT ${READ_MAX + 1}) AS o) AS invoices
      FROM unnest($2::bigint[]) WITH ORDINALITY AS asked (id, place)
      LEFT JOIN customers c ON c.id = asked.id AND c.seller_id = $1 ORDER BY asked.place`,
    values: [sellerId, customerIds],
  })
  return rows.map(({ invoices, ...debtor }) => ({
    ...debtor,
    invoices: (invoices ?? []).map((row) => INVOICES.fromRow(row)),
  }))
}

type Step = { id: number; place: string }
type Walk = { found: (Step & { customerId: number })[] | null; walked: number; last: Step | null }

/** `after` and `place`: the `next` of the page before. */
type DebtorsRequest = {
  sellerId: number
  size: number
  after: number | undefined
  place?: string | undefined
}

/**
 * The next customers who owe, by their oldest invoices. At most COUNTED_MAX invoices are looked at: `next` is where to go on,
 * undefined after the last one: an invoice, and its place then, which changes with its due date. Throws for an unknown `after`.
 */
export async function findDebtors(
  pool: Pool,
  { size, ...request }: DebtorsRequest,
): Promise<{ customerIds: number[]; next: Step | undefined }> {
  const { sellerId } = request
  const from = await positionOf(pool, request)
  const { rows } = await pool.query<Walk>({
    name: 'find-debtors',
    // Each customer stands where its oldest invoice does, and is looked at once. OFFSET 0 is a fence: customers are looked at in
    // their order, until the page is full.
    text: `WITH walked AS MATERIALIZED (
        SELECT t.id, t.customer_id, t.late_on FROM invoices t
        WHERE t.seller_id = $1 AND ${OWED} AND (t.late_on, t.id) > ($2::date, $3::bigint)
        ORDER BY t.late_on, t.id LIMIT ${COUNTED_MAX}),
      each AS (SELECT DISTINCT ON (customer_id) * FROM walked ORDER BY customer_id, late_on, id),
      found AS (
        SELECT w.id, w.customer_id AS "customerId", ${placeOf('w.late_on')} AS place FROM (SELECT * FROM each ORDER BY late_on, id OFFSET 0) AS w WHERE w.id = (
          SELECT t.id FROM invoices t WHERE t.seller_id = $1 AND t.customer_id = w.customer_id AND ${OWED}
          ORDER BY t.late_on, t.id LIMIT 1)
        LIMIT $4)
      SELECT (SELECT json_agg(row_to_json(f)) FROM found f) AS found, (SELECT count(*) FROM walked) AS walked,
        (SELECT json_build_object('id', id, 'place', ${placeOf('late_on')})
          FROM walked ORDER BY late_on DESC, id DESC LIMIT 1) AS last`,
    values: [sellerId, from.lateOn, from.id, size + 1],
  })
  const { found, walked = 0, last } = rows[0] ?? { found: null, last: null }
  const page = (found ?? []).slice(0, size)
  const isFull = (found ?? []).length > size
  const next = isFull ? page.at(-1) : walked === COUNTED_MAX ? (last ?? undefined) : undefined
  return { customerIds: page.map(({ customerId }) => customerId), next }
}

async function positionOf(pool: Pool, { sellerId, after: id, place }: Omit<DebtorsRequest, 'size'>) {
  if (id === undefined) return { lateOn: '-infinity', id: 0 }
  if (place !== undefined) return { lateOn: timeAt(place).slice(0, 'YYYY-MM-DD'.length), id }
  const { rows } = await pool.query<{ lateOn: CalendarDay; id: number }>(
    'SELECT late_on::text AS "lateOn", id FROM invoices WHERE id = $1 AND seller_id = $2',
    [id, sellerId],
  )
  if (!rows[0]) throw unknownAfter()
  return rows[0]
}

/** The most invoices of a seller that are summed up: an index alone has what is read of them. */
export const SUMMED_MAX = 100_000

/** What invoices with the same due day are owed, cents. */
export type DueDay = { dueDay: CalendarDay; lateOn: CalendarDay; count: number; amount: number }

export async function readDueDays(pool: Pool, sellerId: number): Promise<DueDay[]> {
  const { rows } = await pool.query<DueDay>({
    name: 'sum-owed',
    text: `SELECT due_day::text AS "dueDay", late_on::text AS "lateOn", count(*) AS count, sum(open_principal)::bigint AS amount
      FROM (SELECT t.late_on, coalesce(t.late_from, (t.due_date AT TIME ZONE '${TIME_ZONE}')::date) AS due_day, t.open_principal
        FROM invoices t WHERE t.seller_id = $1 AND ${OWED} ORDER BY t.late_on, t.id LIMIT ${SUMMED_MAX + 1}) AS owed
      GROUP BY due_day, late_on`,
    values: [sellerId],
  })
  return rows
}
