import type { Pool } from '@cofre/platform/postgres/postgres'
import { eventually } from './testing'

async function waiting(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return rowCount ?? 0
}

/** Resolves when `count` statements of this database wait for a lock. */
export async function whenWaiting(pool: Pool, count: number): Promise<void> {
  await eventually(async () => {
    const found = await waiting(pool)
    if (found < count) throw new Error(`${found} of ${count} wait for a lock`)
  })
}

/** Returns the result of the work, or `waits` as soon as a statement of this database waits for a lock. */
export async function unlessItWaits<T>(pool: Pool, work: Promise<T>): Promise<T | 'waits'> {
  let ended = false
  const end = () => void (ended = true)
  work.then(end, end)
  while (!ended) if ((await waiting(pool)) > 0) return 'waits'
  return work
}

/** Runs work while an open transaction of another session holds the locks that `hold` takes. */
export async function whileHeld<T>(
  pool: Pool,
  [hold, values]: [hold: string, values: unknown[]],
  work: () => Promise<T>,
): Promise<T> {
  const session = await pool.connect()
  try {
    await session.query('BEGIN')
    await session.query(hold, values)
    return await work()
  } finally {
    await session.query('COMMIT')
    session.release()
  }
}
