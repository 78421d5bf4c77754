/** The functions that stop the programs of a test, in the order of starting. */
export type Ends = (() => unknown)[]

/** Waits for a start, and registers its stop, also for a start that completes after the test gave up. */
export function started<T>(ends: Ends, starting: Promise<T>, stop: (one: T) => unknown): Promise<T> {
  // A failed start leaves nothing to stop.
  ends.push(() => starting.then(stop, () => {}))
  return starting
}

/** Ends all, the last first. Throws the first failure once all have been tried. */
export async function endAll(ends: Ends): Promise<void> {
  const failures: unknown[] = []
  for (const end of ends.splice(0).reverse()) {
    try {
      await end()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}
