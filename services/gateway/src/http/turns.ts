/** Waits for the turn of a caller; returns the function that ends it. */
export type Turns = (caller: string) => Promise<() => void>

/** Lets `most` of one caller run at once: the others stand in its line, in order. The caller bounds how many stand there. */
export function createTurns(most: number): Turns {
  const lines = new Map<string, { running: number; waiting: (() => void)[] }>()
  return async (caller) => {
    const line = lines.get(caller) ?? { running: 0, waiting: [] }
    lines.set(caller, line)
    if (line.running < most) line.running++
    else await new Promise<void>((begin) => line.waiting.push(begin))
    let isEnded = false
    return () => {
      if (isEnded) return
      isEnded = true
      const next = line.waiting.shift()
      // The next one takes this place over.
      if (next) return next()
      line.running--
      if (line.running === 0) lines.delete(caller)
    }
  }
}
