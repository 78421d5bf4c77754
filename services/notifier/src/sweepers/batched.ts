import { AsyncLocalStorage } from 'node:async_hooks'

type Waiting<Item, Result> = {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

type Limits = { atOnce: number; inParallel: number; heldUpMs?: number }

/** A batch that takes this long may be waiting for a lock. */
const HELD_UP_MS = 50

/**
 * Does the work of many askers in batches. A lone asker is served at once; others gather meanwhile. When a batch has
 * taken `heldUpMs`, those who gathered get another beside it, up to `inParallel`. `work` returns results in the order
 * of its items, `atOnce` at most, and belongs to none of their traces. If it fails for several, each is tried alone.
 */
export function batched<Item, Result>(
  { atOnce, inParallel, heldUpMs = HELD_UP_MS }: Limits,
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  let servers = 0
  let heldUp = 0
  const outside = AsyncLocalStorage.snapshot()
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
    while (waiting.length > 0) await whileWatched(() => serve(waiting.splice(0, atOnce)))
    servers -= 1
  }
  /** A batch that is held up no longer makes others wait. */
  const whileWatched = async (service: () => Promise<void>) => {
    let isHeldUp = false
    const watch = setTimeout(() => {
      isHeldUp = true
      heldUp += 1
      if (waiting.length > 0) serveMore()
    }, heldUpMs)
    await service()
    clearTimeout(watch)
    if (isHeldUp) heldUp -= 1
  }
  const serveMore = () => {
    if (servers === heldUp && servers < inParallel) void outside(serveAll)
  }
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      serveMore()
    })
}
