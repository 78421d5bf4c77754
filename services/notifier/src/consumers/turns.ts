/** Runs what is asked for one seller in turn, and what is asked for others beside it. */
export type Turns = (sellerId: number, work: () => Promise<void>) => Promise<void>

export function openTurns(): Turns {
  const last = new Map<number, Promise<void>>()
  return async (sellerId, work) => {
    const before = last.get(sellerId) ?? Promise.resolve()
    const done = before.then(work, work)
    last.set(sellerId, done)
    try {
      await done
    } finally {
      if (last.get(sellerId) === done) last.delete(sellerId)
    }
  }
}
