import { databaseNow } from '@cofre/platform/service/database-clock'

let offsetMs = 0

/**
 * The service's current time, epoch milliseconds: the database's time plus the offset of the billing clock. Days,
 * lateness, cycles and everything that a seller reads go by it. Leases, call deadlines and retries go by the database's
 * own time: another service, or the network, waits for them.
 */
export function now(): number {
  return databaseNow() + offsetMs
}

/** The offset of this process's billing clock from the machine's, milliseconds. */
export function clockBeyond(): number {
  return offsetMs
}

/** Sets the offset of this process's billing clock from the machine's, milliseconds. */
export function moveClock(beyondMs: number): void {
  offsetMs = beyondMs
}
