/** Epoch milliseconds. A time that is given in seconds is below it. */
export const YEAR_2000 = 946_684_800_000
/** As seconds, a time in the year 1973. */
const LEAST_SECONDS = 100_000_000

/** True when a moment may be in epoch milliseconds, because it is no date of our time in seconds. */
export function isInMilliseconds(given: number): boolean {
  return given < LEAST_SECONDS || given >= YEAR_2000
}

/** True when a moment is in the year 2000 or later, in epoch milliseconds. */
export function isSinceYear2000(given: number): boolean {
  return given >= YEAR_2000
}

export const NOT_IN_MILLISECONDS = {
  params: { code: 'MIN', detail: 'must be in epoch milliseconds, from the year 2000 on' },
} as const
