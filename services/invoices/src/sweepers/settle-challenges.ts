import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import type { Lease } from '@cofre/platform/postgres/lease'
import type { Loop } from '@cofre/platform/service/lifecycle'
import { manyAtOnce } from '@cofre/platform/service/many-at-once'
import type { Deps } from '../deps'
import { findStored } from '../payments/cards-being-stored'
import { discardCard } from '../payment-store/kept-card-store'
import type { Challenge } from '../three-d-secure/challenge'
import { leaseChallenges } from '../three-d-secure/challenge-store'
import { endAsPaid, endChallenge, factsOf } from '../three-d-secure/pay-authenticated'

const AT_ONCE = 20
const EVERY_MS = 1_000
const FIRST_MS = 5_000
const MAX_MS = 60_000
const TIMEOUT_MS = 45_000

/** Settles challenges until stopped, several at once; any number of replicas may run. */
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

/** Takes challenges whose payer did not come back, and those whose process is gone, for this caller alone. */
export function takeDueChallenges(
  { pool }: Deps,
  batch: number,
  inHand: Lease['inHand'] = [],
): Promise<Challenge[]> {
  return leaseChallenges(pool, { at: Date.now(), firstMs: FIRST_MS, maxMs: MAX_MS, batch, inHand })
}

/** Ends a challenge, and charges nothing. Never fails. */
export async function settleChallenge(deps: Deps, challenge: Challenge): Promise<void> {
  try {
    await runCall(newCall({ timeoutMs: TIMEOUT_MS }), () => settle(deps, challenge))
  } catch (err) {
    deps.log.warn({ ...factsOf(challenge), err }, 'challenge not checked, will try again')
  }
}

async function settle(deps: Deps, challenge: Challenge): Promise<void> {
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
