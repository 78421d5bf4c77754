import type { Pool } from './postgres'

/**
 * `at`: the current time by the clock that writes `ask_at`, epoch milliseconds. `firstMs`: the wait that is doubled;
 * `maxMs`: the longest wait. `batch`: the most rows at once. `inHand`: the keys of rows that are not taken again yet.
 */
export type Lease = {
  at: number
  firstMs: number
  maxMs: number
  batch: number
  inHand: readonly (string | number)[]
}

/**
 * Leases the rows of a table whose `ask_at` has come, for this caller alone until their next time. The wait is
 * `firstMs`, doubled with each ask (`asks`), up to `maxMs`. `key`: the column that names a row; `returning`: columns.
 */
export async function leaseDue<Leased extends object>(
  pool: Pool,
  { table, key, returning }: { table: string; key: string; returning: string },
  lease: Lease,
): Promise<Leased[]> {
  const { rows } = await pool.query<Leased>({
    name: `lease-${table}`,
    text: `UPDATE ${table} SET asks = asks + 1,
        ask_at = $1::timestamptz + least($2 * power(2, least(asks + 1, 20)), $3) * interval '1 millisecond'
      WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ask_at <= $1::timestamptz AND ${key} <> ALL($5)
        ORDER BY ask_at LIMIT $4
        FOR UPDATE SKIP LOCKED)
      RETURNING ${returning}`,
    values: [new Date(lease.at), lease.firstMs, lease.maxMs, lease.batch, lease.inHand],
  })
  return rows
}

/** Names a row that is looked at again. */
export type LookedAt = { id: number; sellerId: number }

/** Leases the rows of a table that are due for another look: no other caller takes them for `againMs`. */
export async function leaseLooks(
  pool: Pool,
  table: string,
  { at, againMs, batch }: { at: number; againMs: number; batch: number },
): Promise<LookedAt[]> {
  const { rows } = await pool.query<LookedAt>(
    `UPDATE ${table} SET look_again_at = $2
     WHERE id IN (SELECT id FROM ${table} WHERE look_again_at <= $1 ORDER BY look_again_at LIMIT $3
       FOR UPDATE SKIP LOCKED)
     RETURNING id, seller_id AS "sellerId"`,
    [new Date(at), new Date(at + againMs), batch],
  )
  return rows
}
