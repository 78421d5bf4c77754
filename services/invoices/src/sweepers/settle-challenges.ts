import { DomainError } from '@cofre/platform/errors'
import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import type { Lease } from '@cofre/platform/postgres/lease'
import type { Loop } from '@cofre/platform/service/lifecycle'
import { manyAtOnce } from '@cofre/platform/service/many-at-once'
import type { Deps } from '../deps'
import { discardCard } from '../payment-store/kept-card-store'
import { PAYING_MS, type Challenge } from '../three-d-secure/challenge'
import { leaseChallenges } from '../three-d-secure/challenge-store'
import { endChallenge, factsOf, findPayment, payAuthenticated } from '../three-d-secure/pay-authenticated'

const AT_ONCE = 20
const EVERY_MS = 1_000
const FIRST_MS = 5_000
const MAX_MS = 60_000
const TIMEOUT_MS = 45_000

/** Looks after challenges until stopped, several at once; any number of replicas may run. */
export function startSettlingChallenges(deps: Deps): Loop {
  return manyAtOnce<Challenge>(
    {
      atOnce: AT_ONCE,
      nameOf: ({ id }) => id,
      take: (room, inHand) => takeDueChallenges(deps, room, inHand),
      work: (challenge) => settleChallenge(deps, challenge),
    },
    EVERY_MS,
    (err) => deps.log.error({ err }, 'settling of challenges failed'),
  )
}

/** Takes challenges that nobody came back from, and those whose process is gone, for this caller alone. */
export function takeDueChallenges(
  { pool }: Deps,
  batch: number,
  inHand: Lease['inHand'] = [],
): Promise<Challenge[]> {
  return leaseChallenges(pool, { at: Date.now(), firstMs: FIRST_MS, maxMs: MAX_MS, batch, inHand })
}

/** Ends a challenge, or has its card charged. Never fails. */
export async function settleChallenge(deps: Deps, challenge: Challenge): Promise<void> {
  try {
    await runCall(newCall({ timeoutMs: TIMEOUT_MS }), () => settle(deps, challenge))
  } catch (err) {
    deps.log.warn({ ...factsOf(challenge), err }, 'challenge not checked, will try again')
  }
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

/**
 * The process that was to charge the card is gone, or could not reach those who charge it. What it began comes first: only
 * where nothing was begun under the challenge's own key is the card charged now.
 */
async function payLate(deps: Deps, challenge: Challenge): Promise<void> {
  const payment = await findPayment(deps, challenge)
  if (payment === 'answered') return end(deps, challenge, 'CHARGED')
  // Its own sweeper settles it.
  if (payment === 'running') return
  if (Date.now() > challenge.expiresAt + PAYING_MS) return end(deps, challenge, 'EXPIRED')
  const { sellerId, authenticationId } = challenge
  const { authentication } = await deps.authenticationServer.find(sellerId, authenticationId)
  if (authentication) await payAuthenticated(deps, challenge, authentication)
  else await end(deps, challenge, 'REFUSED')
}

async function end(deps: Deps, challenge: Challenge, as: 'CHARGED' | 'REFUSED' | 'EXPIRED'): Promise<void> {
  const { status } = await endChallenge(deps, challenge, as)
  deps.log.info({ ...factsOf(challenge), status }, 'challenge ended')
}
