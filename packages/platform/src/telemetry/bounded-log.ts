/** How often something that strangers can cause at will is told. */
const MOST_AT_ONCE = 20
const PER_SECOND = 1

/**
 * Tells of the first ones at once and then of one a second, with how many were left out before it (`untold`): strangers can
 * fill no log. What is told must be counted elsewhere.
 */
export function tellSome(
  tell: (details: Record<string, unknown>) => void,
  now: () => number = () => performance.now(),
): (details: Record<string, unknown>) => void {
  let [left, at, untold] = [MOST_AT_ONCE, now(), 0]
  return (details) => {
    left = Math.min(MOST_AT_ONCE, left + ((now() - at) / 1_000) * PER_SECOND)
    at = now()
    if (left < 1) {
      untold += 1
      return
    }
    left -= 1
    tell(untold > 0 ? { ...details, untold } : details)
    untold = 0
  }
}
