/** Returns how many messages of a seller were delivered. `meanwhile`: how many other turns delivered since the call. */
type Work = (meanwhile: number) => Promise<number>

/** Runs one seller's work in turn, and other sellers' beside it. Returns the result of `work` plus its `meanwhile`. */
export type Turns = (sellerId: number, work: Work) => Promise<number>

type Line = { last: Promise<void>; delivered: number }

export function openTurns(): Turns {
  const lines = new Map<number, Line>()
  return async (sellerId, work) => {
    const line = lines.get(sellerId) ?? { last: Promise.resolve(), delivered: 0 }
    lines.set(sellerId, line)
    const before = line.delivered
    const run = async () => {
      line.delivered += await work(line.delivered - before)
    }
    const done = line.last.then(run, run)
    line.last = done
    try {
      await done
      return line.delivered - before
    } finally {
      if (line.last === done) lines.delete(sellerId)
    }
  }
}
