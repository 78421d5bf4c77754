export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** How long after its last change a payment is compared: errors show soon, or when old records are touched. */
const COMPARED_AFTER_MS = [HOUR_MS, DAY_MS, 7 * DAY_MS, 30 * DAY_MS, 90 * DAY_MS]

/** When a payment that agrees is compared next, epoch milliseconds. Null means never. */
export function nextComparison(changedAt: number, at: number): number | null {
  const after = COMPARED_AFTER_MS.find((each) => changedAt + each > at)
  return after === undefined ? null : changedAt + after
}
