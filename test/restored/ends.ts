/** What ends that which a test has started, in the order of starting. */
export type Ends = (() => unknown)[]

/** Waits for a start, and has what was started stopped at the end: also one that comes after the test gave up. */
export function started<T>(ends: Ends, starting: Promise<T>, stop: (one: T) => unknown): Promise<T> {
  // What did not start has nothing to stop.
  ends.push(() => starting.then(stop, () => {}))
  return starting
}

/** Ends all, the last first. One that fails is told after the others. */
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
