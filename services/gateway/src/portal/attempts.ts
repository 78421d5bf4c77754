import { createHash } from 'node:crypto'
import { DomainError } from '@cofre/platform/errors'
import { createRateLimit } from '../http/rate-limit'
import { PortalFault } from './portal-fault'

const WINDOW_SECONDS = 15 * 60

/** Guesses for one account from one address: people mistype, and others sign in to the same account elsewhere. */
const FOR_BOTH = 5
/** Guesses from one address for any account: many people share an office's address. */
const FOR_ADDRESS = 30
/** Guesses for one account from everywhere: bounds an attacker with many addresses. */
const FOR_ACCOUNT = 60

export type Attempts = {
  /**
   * Counts a guess before the password is checked, so that a burst is bounded too. Returns a page if too many; such a
   * guess is not checked and does not count.
   */
  begin(account: string, address: string, known?: string): PortalFault | undefined
  /** The password was right: takes the count back. */
  succeed(account: string, address: string, known?: string): void
  /** The password was not checked: takes the count back. */
  takeBack(account: string, address: string, known?: string): void
}

/**
 * Counts wrong passwords in the memory of this process. `known`: a browser in which this account has signed in before
 * has a count of its own, so that strangers who guess don't lock its person out.
 */
export function countAttempts(): Attempts {
  const limit = (guesses: number) => createRateLimit({ burst: guesses, perSecond: guesses / WINDOW_SECONDS })
  const [byAddress, byBoth, byAccount] = [limit(FOR_ADDRESS), limit(FOR_BOTH), limit(FOR_ACCOUNT)]
  const countsOf = (account: string, address: string, known?: string) => {
    const hash = createHash('sha256').update(account.toLowerCase()).digest('base64')
    const own = { count: byBoth, of: `${hash} ${known ?? address}`, isOwn: true }
    if (known !== undefined) return [own]
    return [
      { count: byAddress, of: address, isOwn: false },
      own,
      { count: byAccount, of: hash, isOwn: false },
    ]
  }
  return {
    begin: (...who) => {
      const counts = countsOf(...who)
      // A refused guess takes from none of them: it would lock out others who share the address or the account.
      for (const { count, of } of counts) {
        const { allowed, retryAfterSeconds } = count.look(of)
        if (!allowed) return tooMany(retryAfterSeconds)
      }
      for (const { count, of } of counts) count.take(of)
      return undefined
    },
    succeed: (...who) => {
      for (const { count, of, isOwn } of countsOf(...who)) {
        if (isOwn) count.fill(of)
        else count.giveBack(of)
      }
    },
    takeBack: (...who) => {
      for (const { count, of } of countsOf(...who)) count.giveBack(of)
    },
  }
}

function tooMany(seconds: number): PortalFault {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  return new PortalFault(
    429,
    'Too many wrong passwords',
    `Wait ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, then try again.`,
    seconds,
  )
}

/** Returns a page for a password that was not checked because too many others were being checked. */
export function passwordFault(error: unknown): unknown {
  if (!(error instanceof DomainError) || error.kind !== 'unavailable') return error
  const seconds = 2
  return new PortalFault(503, 'Too many people are signing in', 'Wait a moment, then try again.', seconds)
}
