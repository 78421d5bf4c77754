import type { Pool } from './postgres'

/**
 * Now, epoch milliseconds, by the clock that writes `ask_at`; how long until a row's next time, at first and at most; how
 * many rows at once; the keys of rows that the caller has in hand still, and does not take again.
 */
export type Lease = {
  at: number
  firstMs: number
  maxMs: number
  batch: number
  inHand: readonly (string | number)[]
}

/**
 * Takes rows of a table whose `ask_at` has come, for this caller alone until their next time: from `firstMs`, twice as
 * long after each asking (`asks`), up to `maxMs`. `key`: the column that names a row; `returning`: what is answered.
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
