let offsetMs = 0

/**
 * What the service calls now, epoch milliseconds: the machine's time, and what the billing clock was moved beyond it. Days,
 * lateness, cycles and everything that a seller reads go by it. Leases, deadlines of calls and retries go by the machine's
 * own: another service, or the network, waits for them.
 */
export function now(): number {
  return Date.now() + offsetMs
}

/** How far the billing clock of this process was moved beyond the machine's, milliseconds. */
export function clockBeyond(): number {
  return offsetMs
}

/** Moves the billing clock of this process so far beyond the machine's, milliseconds. */
export function moveClock(beyondMs: number): void {
  offsetMs = beyondMs
}
