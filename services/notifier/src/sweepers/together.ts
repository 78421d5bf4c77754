type Waiting<Item, Result> = {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

type Limits = { atOnce: number; inParallel: number }

/**
 * Does the work of many askers together: one that comes alone is served at once, and while `inParallel` services run,
 * others gather. `work` answers in the order of its items, `atOnce` of them at most. When it fails for several, each is
 * tried by itself.
 */
export function together<Item, Result>(
  { atOnce, inParallel }: Limits,
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  let servers = 0
  const serve = async (batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await work(batch.map(({ item }) => item))
      for (const [at, { resolve }] of batch.entries()) resolve(results[at] as Result)
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error)
      else await Promise.all(batch.map((each) => serve([each])))
    }
  }
  const serveAll = async () => {
    servers += 1
    // Those who ask in the same moment are served together.
    await Promise.resolve()
    while (waiting.length > 0) await serve(waiting.splice(0, atOnce))
    servers -= 1
  }
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (servers < inParallel) void serveAll()
    })
}
