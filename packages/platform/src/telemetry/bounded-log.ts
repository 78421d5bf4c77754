/** Limits of the log lines that strangers can cause at will. */
const MOST_AT_ONCE = 20
const PER_SECOND = 1

/**
 * Logs the first lines at once and then one a second, with the number left out before it (`untold`). So strangers
 * can't fill the log. The events must be counted elsewhere.
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
