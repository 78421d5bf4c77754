import type { BillingJob } from '../clock/billing-job'
import type { Deps } from '../deps'
import { nextReleaseAt, releaseHeld } from './queue/held-email-store'

const BATCH_SIZE = 100

/** Lets the letters leave that waited for another day, since the payer of their invoice was asked on theirs. */
export function releaseHeldLetters({ pool }: Pick<Deps, 'pool'>): BillingJob {
  return {
    name: 'release-held-letters',
    run: async (at) => {
      const seen = await releaseHeld(pool, at, BATCH_SIZE)
      return { seen, done: seen }
    },
    nextDueAt: () => nextReleaseAt(pool),
  }
}
