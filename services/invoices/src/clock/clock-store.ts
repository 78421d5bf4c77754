import { databaseNow } from '@cofre/platform/service/database-clock'
import type { Db } from '@cofre/platform/postgres/postgres'
import { clockBeyond, moveClock } from './billing-clock'

/** The saved offset of the billing clock from the machine's, milliseconds. */
async function readBeyond(db: Db): Promise<number> {
  const { rows } = await db.query<{ beyond: number }>({
    name: 'read-billing-clock',
    text: 'SELECT beyond_ms AS beyond FROM billing_clock',
  })
  return rows[0]?.beyond ?? 0
}

/** Saves the offset. It never decreases. */
async function saveBeyond(db: Db, beyond: number): Promise<void> {
  await db.query({
    name: 'save-billing-clock',
    text: `INSERT INTO billing_clock AS c (beyond_ms) VALUES ($1)
      ON CONFLICT (singleton) DO UPDATE SET beyond_ms = greatest(c.beyond_ms, EXCLUDED.beyond_ms)`,
    values: [beyond],
  })
}

/** Moves the clock of this process to where another replica has moved it. It never goes back. */
export async function followClock(db: Db): Promise<void> {
  const beyond = await readBeyond(db)
  if (beyond > clockBeyond()) moveClock(beyond)
}

/** Moves the clock of every replica to a moment (epoch milliseconds), if that is still to come. */
export async function moveClockTo(db: Db, moment: number): Promise<void> {
  const beyond = moment - databaseNow()
  if (beyond > clockBeyond()) {
    await saveBeyond(db, beyond)
    moveClock(beyond)
  }
}

const ADVANCING = `hashtext('billing-clock')`

/** True when no caller moves the clock now; a caller that does runs the billing jobs itself. */
export async function isClockFree(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ free: boolean }>({
    name: 'is-clock-free',
    text: `SELECT pg_try_advisory_xact_lock_shared(${ADVANCING}) AS free`,
  })
  return rows[0]?.free ?? false
}

/** Locks the clock for this caller, for as long as its connection lives. False when another caller moves it. */
export async function takeClock(connection: Db): Promise<boolean> {
  const { rows } = await connection.query<{ taken: boolean }>(
    `SELECT pg_try_advisory_lock(${ADVANCING}) AS taken`,
  )
  return rows[0]?.taken ?? false
}

export async function leaveClock(connection: Db): Promise<void> {
  await connection.query(`SELECT pg_advisory_unlock(${ADVANCING})`)
}
