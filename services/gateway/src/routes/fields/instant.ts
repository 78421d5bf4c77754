/** Epoch milliseconds. A time in seconds is before it. */
export const YEAR_2000 = 946_684_800_000
/** In seconds, a time of the year 1973. */
const LEAST_SECONDS = 100_000_000

/** Whether a moment may be in epoch milliseconds: it is not one of our years in seconds. */
export function isInMilliseconds(given: number): boolean {
  return given < LEAST_SECONDS || given >= YEAR_2000
}

/** Whether a moment is one of our years, in epoch milliseconds. */
export function isSinceYear2000(given: number): boolean {
  return given >= YEAR_2000
}

export const NOT_IN_MILLISECONDS = {
  params: { code: 'MIN', detail: 'must be in epoch milliseconds, from the year 2000 on' },
} as const
