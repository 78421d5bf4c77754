/** Limits of the log lines that strangers, or a dependency that is away, can cause at will. */
const MOST_AT_ONCE = 20
const PER_SECOND = 1

type Details = Record<string, unknown>

/**
 * Logs the first lines at once and then one a second, with the number left out before it (`omitted`). So nobody can
 * fill the log. The events must be counted elsewhere.
 */
export function tellSome(tell: (details: Details) => void, now?: () => number): (details: Details) => void {
  const some = onlySome(now)
  return (details) => some((omitted) => tell({ ...details, ...omitted }))
}

/** Returns a function that runs some of the work that it is given, as `tellSome` logs some of its lines. */
export function onlySome(now = () => performance.now()): (run: (omitted: Details) => void) => void {
  let [left, at, omitted] = [MOST_AT_ONCE, now(), 0]
  return (run) => {
    left = Math.min(MOST_AT_ONCE, left + ((now() - at) / 1_000) * PER_SECOND)
    at = now()
    if (left < 1) {
      omitted += 1
      return
    }
    left -= 1
    run(omitted > 0 ? { omitted } : {})
    omitted = 0
  }
}
