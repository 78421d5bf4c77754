/** Runs what is asked under one name in turn, and what is asked under others beside it. */
export type Turns = (name: string, work: () => Promise<void>) => Promise<void>

export function openTurns(): Turns {
  const last = new Map<string, Promise<void>>()
  return async (name, work) => {
    const before = last.get(name) ?? Promise.resolve()
    const done = before.then(work, work)
    last.set(name, done)
    try {
      await done
    } finally {
      if (last.get(name) === done) last.delete(name)
    }
  }
}
