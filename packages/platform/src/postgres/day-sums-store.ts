import type { CalendarDay } from '../calendar-day'
import type { Pool } from './postgres'

/** `amount`: cents. */
export type Sum = { count: number; amount: number }

/** The sums of a seller's day in America/Sao_Paulo, by name. */
export type DaySums = { day: CalendarDay; sums: Readonly<Record<string, Sum>> }

export const NO_SUM: Sum = { count: 0, amount: 0 }

/** The sums of kinds that have more than one name, by the rest of it: `captured VISA` is the `captured` of VISA. */
export function sumsByRest<Kind extends string>(
  sums: DaySums['sums'],
  kinds: readonly Kind[],
): { rest: string; of: Record<Kind, Sum> }[] {
  const rests = new Map<string, Record<Kind, Sum>>()
  for (const [name, sum] of Object.entries(sums)) {
    const kind = kinds.find((each) => name.startsWith(`${each} `))
    if (!kind) continue
    const rest = name.slice(kind.length + 1)
    const none = Object.fromEntries(kinds.map((each) => [each, NO_SUM])) as Record<Kind, Sum>
    rests.set(rest, { ...(rests.get(rest) ?? none), [kind]: sum })
  }
  return [...rests]
    .map(([rest, of]) => ({ rest, of }))
    .toSorted((one, other) => one.rest.localeCompare(other.rest))
}

/** The changes that one statement folds: few enough that nobody waits long for the sums. */
const BATCH = 5_000

/**
 * The days between two days, both included, on which something was summed, the oldest first. Changes that are not folded
 * yet count.
 */
export async function readDaySums(
  pool: Pool,
  { sellerId, from, to }: { sellerId: number; from: CalendarDay; to: CalendarDay },
): Promise<DaySums[]> {
  const of = (table: string) =>
    `SELECT day, name, count, amount FROM ${table} WHERE seller_id = $1 AND day BETWEEN $2 AND $3`
  const { rows } = await pool.query<DaySums>({
    name: 'read-day-sums',
    text: `SELECT day::text, json_object_agg(name, json_build_object('count', count, 'amount', amount)) AS sums
      FROM (SELECT day, name, sum(count) AS count, sum(amount) AS amount
        FROM (${of('day_sums')} UNION ALL ${of('day_changes')}) AS each GROUP BY day, name) AS summed
      GROUP BY day ORDER BY day`,
    values: [sellerId, from, to],
  })
  return rows
}

/** Adds changes to their sums. Returns 0 once few are left: the next ones are worth a rest. Any number of replicas may do so at once: each takes changes of its own. */
export async function foldDayChanges(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ taken: number }>({
    name: 'fold-day-changes',
    text: `WITH taken AS (
        DELETE FROM day_changes USING (
          SELECT seller_id, day, id FROM day_changes ORDER BY seller_id, day, id LIMIT $1 FOR UPDATE SKIP LOCKED
        ) AS next
        WHERE (day_changes.seller_id, day_changes.day, day_changes.id) = (next.seller_id, next.day, next.id)
        RETURNING day_changes.*
      ), added AS (
        -- In one order for everybody: replicas wait for each other's sums, but never in a circle.
        INSERT INTO day_sums AS s (seller_id, day, name, count, amount)
        SELECT seller_id, day, name, sum(count), sum(amount) FROM taken GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
        ON CONFLICT (seller_id, day, name)
          DO UPDATE SET count = s.count + excluded.count, amount = s.amount + excluded.amount
      )
      SELECT count(*) AS taken FROM taken`,
    values: [BATCH],
  })
  const taken = rows[0]?.taken ?? 0
  return taken < BATCH ? 0 : taken
}
