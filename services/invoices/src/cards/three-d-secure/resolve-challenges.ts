import { databaseNow } from '@cofre/platform/service/database-clock'
import { resolverOf } from '@cofre/platform/operation/resolver'
import { workInCall } from '@cofre/platform/operation/work-in-call'
import type { Deps } from '../../deps'
import { findStored } from '../cards-being-stored'
import { discardCard } from '../store/kept-card-store'
import type { Challenge } from './challenge'
import { leaseChallenges } from './challenge-store'
import { endAsPaid, endChallenge, factsOf } from './pay-authenticated'

const RULES = { resolveEveryMs: 1_000, resolveFirstMs: 5_000, resolveMaxMs: 60_000 }
const TIMEOUT_MS = 45_000

/** Ends a challenge, and charges nothing. Never fails. */
export function resolveChallenge(deps: Deps, challenge: Challenge): Promise<void> {
  const limits = { log: deps.log, timeoutMs: TIMEOUT_MS, what: 'challenge not resolved' }
  return workInCall({ ...limits, facts: factsOf(challenge) }, () => resolve(deps, challenge))
}

/** Takes challenges whose payer did not come back, and those whose process is gone. */
export const { take: takeDueChallenges, start: startResolvingChallenges } = resolverOf<Deps, Challenge>(
  {
    what: 'challenges',
    lease: leaseChallenges,
    nameOf: ({ id }) => id,
    rulesOf: () => RULES,
    now: databaseNow,
  },
  resolveChallenge,
)

async function resolve(deps: Deps, challenge: Challenge): Promise<void> {
  if (challenge.status === 'STORING') await forgetStored(deps, challenge)
  // The process that was to charge the card is gone. A charge not begun is never made: the payer sees the forms.
  if (challenge.status === 'AUTHENTICATED') return void (await endAsPaid(deps, challenge))
  const { status } = await endChallenge(deps, challenge, 'EXPIRED')
  deps.log.info({ ...factsOf(challenge), status }, 'challenge given up')
}

/** Discards a card that was being stored when its process ended: the vault finds it by its key. */
async function forgetStored({ pool, cards }: Deps, { sellerId, publicId }: Challenge): Promise<void> {
  const cardId = await findStored(cards, sellerId, publicId)
  if (cardId !== undefined) await discardCard(pool, { sellerId, cardId })
}
