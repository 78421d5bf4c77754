import { unavailable, type DomainError } from '../errors'
import type { Pool } from '../postgres/postgres'
import type { Logger } from '../telemetry/log'
import { observe } from '../telemetry/metrics'
import { repeat, type Loop } from './lifecycle'

/** A reading of the database's clock: its time, ours, and the time of our clock that nobody sets; milliseconds. */
type Reading = { database: number; wall: number; steady: number }

let reading: Reading | undefined
let mostMs = Infinity
let isUp = true

/** Whether the service's database answered when it was last asked, and takes writes. */
export function isDatabaseUp(): boolean {
  return isUp
}

/**
 * The time by the clock of the service's database, epoch milliseconds: the one clock of all its replicas. What one
 * replica writes and another compares goes by it, and so do the deadlines of calls. Before the first reading: our own.
 */
export function databaseNow(): number {
  return reading ? Math.round(reading.database + performance.now() - reading.steady) : Date.now()
}

/** A moment of the database's clock as our own clock shows it: for what does not leave this process. */
export function onOwnClock(at: number): number {
  return Date.now() + (at - databaseNow())
}

/** A moment of our own clock as the database's clock shows it. */
export function onDatabaseClock(at: number): number {
  return databaseNow() + (at - Date.now())
}

/** How far our own clock is ahead of the database's, milliseconds. */
export function clockOffset(): number {
  return reading ? reading.wall - reading.database : 0
}

/** The refusal to send anything to a partner, when our own clock is too wrong. Undefined: it may be sent. */
export function clockFault(): DomainError | undefined {
  const seconds = Math.round(Math.abs(clockOffset()) / 1_000)
  if (Math.abs(clockOffset()) <= mostMs) return undefined
  return unavailable(`The clock of this process is ${seconds} s off. It sends nothing to partners.`)
}

const READ_EVERY_MS = 1_000
/** The answer to a reading that took longer says too little. */
const SLOW_MS = 1_000

/** Reads the database's clock once. Throws while the database does not answer, or only reads. */
export async function readClock(pool: Pick<Pool, 'query'>): Promise<void> {
  const began = performance.now()
  const { rows } = await pool.query<{ at: number; writes: boolean }>({
    name: 'read-clock',
    text: `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at,
      current_setting('transaction_read_only') = 'off' AS writes`,
  })
  const [{ at, writes } = { at: Date.now(), writes: false }] = rows
  if (!writes) throw unavailable('The database takes no writes.')
  const steady = performance.now()
  if (reading && steady - began > SLOW_MS) return
  // It was read about halfway between the question and the answer.
  reading = { database: at + (steady - began) / 2, wall: Date.now(), steady }
}

type Following = {
  log: Logger
  /** The offset beyond which nothing is sent to partners, seconds. */
  mostSeconds: number
  /** Called after each look, with whether the database answers and takes writes. */
  onState?: (isUp: boolean) => void
}

/** Follows the database's clock, and whether the database answers, until stopped. */
export async function followDatabaseClock(
  pool: Pool,
  { log, mostSeconds, onState = () => {} }: Following,
): Promise<Loop> {
  mostMs = mostSeconds * 1_000
  const state = (up: boolean) => {
    isUp = up
    onState(up)
  }
  observe('database_up', 'Whether the database answers and takes writes: 1 or 0.', () => Number(isUp))
  observe(
    'clock_offset_seconds',
    'How far our clock is ahead of the database’s.',
    () => clockOffset() / 1_000,
  )
  await readClock(pool)
  const read = async () => {
    await readClock(pool).catch((error: unknown) => {
      state(false)
      throw error
    })
    state(true)
    const fault = clockFault()
    if (fault) log.error({ offsetMs: Math.round(clockOffset()) }, fault.message)
    return 0
  }
  return repeat(read, READ_EVERY_MS, (err) => log.warn({ err }, 'the database’s clock was not read'))
}
