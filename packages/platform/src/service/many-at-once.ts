import { repeat, type Loop } from './lifecycle'

type Name = string | number

type Work<Item> = {
  atOnce: number
  /** Names an item: an item in hand is not begun a second time. */
  nameOf(item: Item): Name
  /** Takes up to `free` due items, but none in hand: an item may come due again meanwhile. */
  take(free: number, inHand: readonly Name[]): Promise<readonly Item[]>
  /** Must not fail: the work on an item reports its own errors. */
  work(item: Item): Promise<void>
  /** Called when one more may begin. */
  onFree?(): void
}

export type ManyAtOnce<Item> = Loop & {
  /** Begins an item that `take` did not return. False when `atOnce` are in hand; true also when it is in hand already. */
  begin(item: Item): boolean
}

/**
 * Takes due items and works on many at once, until stopped: a slow item holds up no other. Rests and errors are
 * those of `repeat`.
 */
export function manyAtOnce<Item>(
  { atOnce, nameOf, take, work, onFree = () => {} }: Work<Item>,
  restMs: number,
  onError: (error: unknown) => void,
): ManyAtOnce<Item> {
  const inHand = new Map<Name, Promise<void>>()
  const free = () => atOnce - inHand.size
  const start = (item: Item) => {
    const name = nameOf(item)
    if (inHand.has(name)) return
    const working = work(item).finally(() => {
      inHand.delete(name)
      onFree()
      loop.wake()
    })
    inHand.set(name, working)
  }
  const begin = (item: Item) => {
    if (free() <= 0 && !inHand.has(nameOf(item))) return false
    start(item)
    return true
  }
  const fill = async () => {
    if (free() <= 0) return 0
    const taken = await take(free(), [...inHand.keys()])
    for (const item of taken) start(item)
    return taken.length
  }
  const loop = repeat(fill, restMs, onError)
  const stop = async () => {
    await loop.stop()
    await Promise.all(inHand.values())
  }
  return { stop, wake: loop.wake, begin }
}
