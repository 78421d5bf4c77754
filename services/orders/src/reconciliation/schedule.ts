import type { Charge } from '../charge/charge'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** How long after its last change a charge is compared: money may be given back, or charged back, for months. */
const LOOKS_AFTER_MS = [DAY_MS, 7 * DAY_MS, 30 * DAY_MS, 90 * DAY_MS, 180 * DAY_MS]

type Looked = Pick<Charge, 'capturedAmount' | 'refundedAmount' | 'updatedAt'>

/** When a charge that agrees is compared next, epoch milliseconds. Null: not before it changes, as no money is left. */
export function nextLook({ capturedAmount, refundedAmount, updatedAt }: Looked, at: number): number | null {
  const after = LOOKS_AFTER_MS.find((each) => updatedAt + each > at)
  return capturedAmount > refundedAmount && after !== undefined ? updatedAt + after : null
}

const TURN_MS = 1_000
/** The fewest charges of a turn: one by one would cost a statement each. */
const TURN_LEAST = 5

/** How long a turn lasts, and how many charges it compares at the least, and at the most when they have waited long. */
export type Pace = { everyMs: number; least: number; most: number }

/** The pace that stays below so many charges a minute, of all replicas together. */
export function paceOf(perMinute: number): Pace {
  const everyMs = Math.max(TURN_MS, (TURN_LEAST * 60_000) / perMinute)
  return {
    everyMs,
    least: TURN_LEAST,
    most: Math.max(TURN_LEAST, Math.floor((perMinute * everyMs) / 60_000)),
  }
}
