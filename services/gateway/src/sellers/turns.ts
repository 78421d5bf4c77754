import { unavailable } from '@cofre/platform/errors'

export type Turns = {
  /** Does the work in its turn. Throws SERVICE_UNAVAILABLE at once when too many wait already. */
  take<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Lets `atOnce` pieces of work run and `maxWaiting` more wait, first come, first served. */
export function createTurns({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }): Turns {
  let running = 0
  const waiting: (() => void)[] = []
  return {
    take: async (work) => {
      if (running >= atOnce) {
        if (waiting.length >= maxWaiting)
          throw unavailable('Too many requests are running at once. Nothing was done.')
        // Work that ends hands its turn on: `running` stays the same.
        await new Promise<void>((resolve) => waiting.push(resolve))
      } else {
        running += 1
      }
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}
