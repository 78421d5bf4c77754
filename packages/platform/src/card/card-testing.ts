import { DomainError } from '../errors'

export type CardTestingGuard = {
  /**
   * Counts a payment under each kind of its cards until `leave`. `refusal` (RATE_LIMITED): too many of one kind run
   * already. This payment is then not counted. The caller refuses it only if it is new: it may repeat a counted one.
   */
  enter(sellerId: number, kinds: readonly string[]): { refusal: DomainError | undefined; leave(): void }
}

/** The payments with one kind of card that a seller may run at once, for each decline a minute of the limit. */
const FOR_EACH_DECLINE = 10

/**
 * Guards against card testing in parallel: all payments are sent before the limit of declines a minute sees a decline.
 * Counts a seller's running payments by kind of card (a BIN, a brand), in the memory of each process. An honest seller
 * with so many payments in flight would exceed the limit of declines anyway.
 */
export function createCardTestingGuard(declinesPerMinute: number): CardTestingGuard {
  const max = FOR_EACH_DECLINE * declinesPerMinute
  const running = new Map<string, number>()
  const add = (key: string, change: 1 | -1) => {
    const left = (running.get(key) ?? 0) + change
    if (left > 0) running.set(key, left)
    else running.delete(key)
  }
  return {
    enter: (sellerId, kinds) => {
      const keys = [...new Set(kinds)].map((kind) => `${sellerId} ${kind}`)
      if (keys.some((key) => (running.get(key) ?? 0) >= max)) return { refusal: tooMany(), leave: () => {} }
      for (const key of keys) add(key, 1)
      return { refusal: undefined, leave: () => keys.forEach((key) => add(key, -1)) }
    },
  }
}

function tooMany(): DomainError {
  return new DomainError(
    'rate_limited',
    'RATE_LIMITED',
    'Too many payments with cards like this one at once.',
    {
      retryAfterSeconds: 1,
    },
  )
}
