import { DomainError } from '@cofre/platform/errors'
import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import type { Deps } from '../deps'
import { discardCard } from '../payment-store/kept-card-store'
import { PAYING_MS, type Challenge } from '../three-d-secure/challenge'
import { leaseChallenges } from '../three-d-secure/challenge-store'
import { endChallenge, factsOf, payAuthenticated } from '../three-d-secure/pay-authenticated'

const BATCH_SIZE = 20
const FIRST_MS = 5_000
const MAX_MS = 60_000
const TIMEOUT_MS = 45_000

/** Looks after challenges that nobody came back from, and those whose process is gone. Returns how many it looked at. */
export async function settleChallenges(deps: Deps): Promise<number> {
  const lease = { at: Date.now(), firstMs: FIRST_MS, maxMs: MAX_MS, batch: BATCH_SIZE, inHand: [] }
  const due = await leaseChallenges(deps.pool, lease)
  for (const challenge of due) {
    try {
      await runCall(newCall({ timeoutMs: TIMEOUT_MS }), () => settle(deps, challenge))
    } catch (err) {
      deps.log.warn({ ...factsOf(challenge), err }, 'a challenge is looked at again later')
    }
  }
  return due.length
}

async function settle(deps: Deps, challenge: Challenge): Promise<void> {
  if (challenge.status === 'STORING') await forgetStored(deps, challenge)
  if (challenge.status === 'AUTHENTICATED') return payLate(deps, challenge)
  const { status } = await endChallenge(deps, challenge, 'EXPIRED')
  deps.log.info({ ...factsOf(challenge), status }, 'challenge given up')
}

/** Of a card that was being stored when its process ended: the vault says by its key which one it is. */
async function forgetStored({ pool, cards }: Deps, { sellerId, publicId }: Challenge): Promise<void> {
  try {
    const cardId = await cards.store(sellerId, '', publicId)
    await discardCard(pool, { sellerId, cardId })
  } catch (error) {
    const isAbsent = error instanceof DomainError && error.kind !== 'unavailable' && error.kind !== 'conflict'
    if (!isAbsent) throw error
  }
}

/** The process that was to charge the card is gone, or could not reach those who charge it. */
async function payLate(deps: Deps, challenge: Challenge): Promise<void> {
  try {
    const { sellerId, authenticationId } = challenge
    const { authentication } = await deps.authenticationServer.find(sellerId, authenticationId)
    if (authentication) await payAuthenticated(deps, challenge, authentication)
    else await endChallenge(deps, challenge, 'REFUSED')
  } catch (error) {
    if (Date.now() <= challenge.expiresAt + PAYING_MS) throw error
    await endChallenge(deps, challenge, 'EXPIRED')
  }
}
