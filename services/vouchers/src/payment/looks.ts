export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** How long after its payment one that is paid is compared with the issuer's book. */
const LOOKS_AFTER_MS = [DAY_MS, 7 * DAY_MS, 30 * DAY_MS]

/** When a payment that agrees is compared next, epoch milliseconds. Null means never. */
export function nextLook(paidAt: number, at: number): number | null {
  const after = LOOKS_AFTER_MS.find((each) => paidAt + each > at)
  return after === undefined ? null : paidAt + after
}

/** When to ask an issuer again that gave no answer: the wait doubles each time, for two months. */
export function lookWithoutAnswer(paidAt: number, at: number): number | null {
  const waited = at - paidAt - DAY_MS
  return waited > 60 * DAY_MS ? null : at + Math.max(HOUR_MS, waited)
}
