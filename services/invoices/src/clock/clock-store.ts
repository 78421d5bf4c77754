import type { Db } from '@cofre/platform/postgres/postgres'
import { moveClock } from './billing-clock'

/** How far the billing clock was moved beyond the machine's, milliseconds. */
export async function readBeyond(db: Db): Promise<number> {
  const { rows } = await db.query<{ beyond: number }>({
    name: 'read-billing-clock',
    text: 'SELECT beyond_ms AS beyond FROM billing_clock',
  })
  return rows[0]?.beyond ?? 0
}

/** Moves it, and never back. */
export async function saveBeyond(db: Db, beyond: number): Promise<void> {
  await db.query({
    name: 'save-billing-clock',
    text: `INSERT INTO billing_clock AS c (beyond_ms) VALUES ($1)
      ON CONFLICT (singleton) DO UPDATE SET beyond_ms = greatest(c.beyond_ms, EXCLUDED.beyond_ms)`,
    values: [beyond],
  })
}

/** Takes over where another replica has moved the clock to. */
export async function followClock(db: Db): Promise<void> {
  moveClock(await readBeyond(db))
}
