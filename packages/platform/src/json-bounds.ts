const MAX_DEPTH = 32
const MAX_VALUES = 10_000

/** Whether a parsed JSON value may be walked: at most 32 levels deep, 10,000 values in all. */
export function isBounded(value: unknown): boolean {
  let values = 0
  const fits = (each: unknown, depth: number): boolean => {
    values += 1
    if (depth > MAX_DEPTH || values > MAX_VALUES) return false
    return typeof each !== 'object' || each === null || Object.values(each).every((it) => fits(it, depth + 1))
  }
  return fits(value, 1)
}
