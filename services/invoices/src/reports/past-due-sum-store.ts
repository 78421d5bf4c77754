import { COUNTED_MAX } from '@cofre/platform/list-page'
import type { Pool } from '@cofre/platform/postgres/postgres'

type PastDue = { count: number; amount: number; isLowerBound: boolean }

/** The newest invoices of a seller that are past due, up to a bound, and what they are owed in cents. */
export async function readPastDueSum(pool: Pool, sellerId: number): Promise<PastDue> {
  const { rows } = await pool.query<Omit<PastDue, 'isLowerBound'>>({
    name: 'sum-past-due',
    text: `SELECT count(*) AS count, coalesce(sum(open_principal), 0)::bigint AS amount FROM (
        SELECT open_principal FROM invoices t WHERE t.seller_id = $1 AND t.past_due_notified
        ORDER BY t.created_at DESC, t.id DESC LIMIT ${COUNTED_MAX + 1}) AS late`,
    values: [sellerId],
  })
  const { count = 0, amount = 0 } = rows[0] ?? {}
  return { count: Math.min(count, COUNTED_MAX), amount, isLowerBound: count > COUNTED_MAX }
}
