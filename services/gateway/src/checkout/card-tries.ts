import { LRUCache } from 'lru-cache'
import { createRateLimit } from '../http/rate-limit'
import { tooManyFault } from './page-fault'

const HOUR_SECONDS = 3_600
/** A challenge lives ten minutes. */
const ANSWERED_MAX = 50_000
/** Of one address: an office's worth at once, and one in ten seconds. */
const BROUGHT = { burst: 30, perSecond: 0.1 }

export type CardTries = {
  /** Counts a card that is brought, good or not: opening its seal costs the vault. Throws the page that says when to come back. */
  bring(address: string): void
  /** Counts a try before it is made, so that a burst is bounded too. Throws the page that says when to come back. */
  begin(publicId: string, address: string): void
  /** It was not declined: takes the count back. */
  takeBack(publicId: string, address: string): void
  /** The issuer authenticated the payer of a challenge (3-D Secure): takes its count back, once however often they come back. */
  passed(challengeId: string, publicId: string, address: string): void
}

/**
 * Bounds cards that are declined, or whose payer does not pass the issuer's challenge: who tests stolen ones has many, who
 * pays has few. For each invoice and for each address, an hour's worth at once after a rest. Counted in the memory of this
 * process.
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

export type BoletoTries = Pick<CardTries, 'begin' | 'takeBack'>

/** Bounds boletos that the bank refuses, each of which is a call to it: for each invoice and each address, as with cards. */
export function countBoletoTries(limits: Parameters<typeof countCardTries>[0]): BoletoTries {
  return countCardTries(limits)
}
