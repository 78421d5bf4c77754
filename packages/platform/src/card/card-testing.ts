import { DomainError } from '../errors'

export type CardTestingGuard = {
  /**
   * Counts a payment until `leave`, under each kind of its cards. `refusal`, RATE_LIMITED: too many of one kind run
   * already, and this one is not counted: it may come to nothing, or be the repeat of one that was.
   */
  enter(sellerId: number, kinds: readonly string[]): { refusal: DomainError | undefined; leave(): void }
}

/** A seller's payments with one kind of card that may run at once, for each decline a minute that it may have. */
const FOR_EACH_DECLINE = 10

/**
 * Guards against cards that are tried all at once: they are sent before the first decline is known, which the limit of
 * declines a minute counts. Counts in memory what runs now, by seller and kind of card (a BIN, a brand). A seller with so many
 * honest payments in flight would have more declines a minute than that limit allows. Each process counts for itself.
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
