import { LRUCache } from 'lru-cache'
import { createRateLimit } from '../../http/rate-limit'
import { tooManyFault } from './page-fault'

const HOUR_SECONDS = 3_600
/** How many passed challenges are remembered. A challenge lives ten minutes. */
const ANSWERED_MAX = 50_000
/** Cards from one address: an office's worth at once, then one every ten seconds. */
const BROUGHT = { burst: 30, perSecond: 0.1 }

export type CardTries = {
  /** Counts each card that arrives, good or not: the vault opens its seal. Throws a page that says when to retry. */
  bring(address: string): void
  /** Counts a try before it is made, so that a burst is bounded too. Throws a page that says when to retry. */
  begin(publicId: string, address: string): void
  /** Takes the count back, because the card was not declined. */
  takeBack(publicId: string, address: string): void
  /** Takes back the count of a challenge that its payer passed (3-D Secure), once however often the payer returns. */
  passed(challengeId: string, publicId: string, address: string): void
}

/**
 * Bounds cards that are declined, or whose payer does not pass the issuer's challenge. A tester of stolen cards has
 * many, a payer has few. Each invoice and each address has an hour's worth at once after a rest. The counts are in the
 * memory of this process.
 */
export function countCardTries({
  ofInvoice,
  ofAddress,
}: {
  ofInvoice: number
  ofAddress: number
}): CardTries {
  const limit = (tries: number) => createRateLimit({ burst: tries, perSecond: tries / HOUR_SECONDS })
  const [byInvoice, byAddress] = [limit(ofInvoice), limit(ofAddress)]
  const answered = new LRUCache<string, true>({ max: ANSWERED_MAX })
  const brought = createRateLimit(BROUGHT)
  const takeBack = (publicId: string, address: string) => {
    byInvoice.giveBack(publicId)
    byAddress.giveBack(address)
  }
  return {
    bring: (address) => {
      const { allowed, retryAfterSeconds } = brought.take(address)
      if (!allowed) throw tooManyFault(retryAfterSeconds)
    },
    begin: (publicId, address) => {
      const invoice = byInvoice.take(publicId)
      if (!invoice.allowed) throw tooManyFault(invoice.retryAfterSeconds)
      const { allowed, retryAfterSeconds } = byAddress.take(address)
      if (allowed) return
      byInvoice.giveBack(publicId)
      throw tooManyFault(retryAfterSeconds)
    },
    takeBack,
    passed: (challengeId, publicId, address) => {
      if (answered.has(challengeId)) return
      answered.set(challengeId, true)
      takeBack(publicId, address)
    },
  }
}

export type AskTries = Pick<CardTries, 'begin' | 'takeBack'>

/** Bounds boletos that the bank refuses, for each invoice and address as with cards. Each is a call to the bank. */
export function countAskTries(limits: Parameters<typeof countCardTries>[0]): AskTries {
  return countCardTries(limits)
}
