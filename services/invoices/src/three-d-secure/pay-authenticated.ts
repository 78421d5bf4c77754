import { DomainError } from '@cofre/platform/errors'
import { newCall, runCall, type IdempotencyKey } from '@cofre/platform/grpc/call-context'
import { keptAnswer } from '@cofre/platform/idempotency/mark'
import { PayByCardRequest } from '@cofre/proto/invoices/v1/payments'
import type { CardAuthentication } from '@cofre/proto/orders/v1/orders'
import type { Db } from '@cofre/platform/postgres/postgres'
import type { Deps } from '../deps'
import { discardCard } from '../payment-store/kept-card-store'
import { payByCard } from '../rpc/payments/pay-by-card'
import { move, PAYING_MS, type Challenge } from './challenge'
import { isMarked, ownKeptCard, updateChallenge } from './challenge-store'

const TIMEOUT_MS = 30_000
/** No method of HTTP: no key that a seller sends can be this one. */
const METHOD = 'PAY'

/**
 * Has the card of an AUTHENTICATED challenge charged, at most once however often it is called, and ends the challenge.
 * Where nobody can say yet what becomes of it, it stays and the sweeper tries again.
 */
export async function payAuthenticated(
  deps: Deps,
  challenge: Challenge,
  authentication: CardAuthentication,
): Promise<Challenge> {
  const end = await pay(deps, challenge, authentication)
  if (!end) return challenge
  deps.log.info({ ...factsOf(challenge), status: end }, 'challenge ended')
  return endChallenge(deps, challenge, end)
}

/** Ends a challenge that is not over, and lets go of the card that was stored for it. */
export async function endChallenge(
  { pool }: Pick<Deps, 'pool'>,
  { id, status: known }: Challenge,
  status: 'CHARGED' | 'REFUSED' | 'EXPIRED',
): Promise<Challenge> {
  const { challenge } = await updateChallenge(pool, id, async (found, tx) => {
    // Over, or decided by somebody else meanwhile.
    if (found.askAt === null || found.status !== known) return undefined
    await letGoOfCard(tx, found, status === 'CHARGED')
    return move(found, status, Date.now())
  })
  return challenge
}

/** A card of ours is destroyed unless the customer keeps it. */
export async function letGoOfCard(tx: Db, challenge: Challenge, isCharged: boolean): Promise<void> {
  const { sellerId, cardId, cardIsOurs, keepCard } = challenge
  if (!cardIsOurs || cardId === null) return
  const isKept = isCharged && keepCard && (await ownKeptCard(tx, challenge))
  if (!isKept) await discardCard(tx, { sellerId, cardId })
}

export function factsOf({ sellerId, invoiceId, id }: Challenge): object {
  return { sellerId, invoiceId, challengeId: id }
}

/**
 * What became of the payment that was begun under a challenge's own key. `running`: it is not known yet what came of it.
 * `none`: nothing was begun, or nothing was done and the key is free.
 */
export async function findPayment(
  { pool }: Pick<Deps, 'pool'>,
  challenge: Challenge,
): Promise<'answered' | 'running' | 'none'> {
  const mark = { sellerId: challenge.sellerId, operationId: '', key: keyOf(challenge) }
  if (!(await isMarked(pool, mark))) return 'none'
  try {
    await keptAnswer(pool, mark)
    return 'answered'
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'conflict') return 'running'
    throw error
  }
}

function keyOf({ publicId: key }: Challenge): IdempotencyKey {
  const path = `invoices/challenges/${key}`
  return { key, method: METHOD, path, fingerprint: path }
}

/** Undefined: not known yet. */
async function pay(
  deps: Deps,
  challenge: Challenge,
  authentication: CardAuthentication,
): Promise<'CHARGED' | 'REFUSED' | 'EXPIRED' | undefined> {
  const { sellerId, invoiceId, installments, cardId, networkToken, keepCard } = challenge
  const request = PayByCardRequest.fromPartial({
    sellerId,
    invoiceId,
    installments,
    keepCard,
    authentication,
    ...(networkToken === null ? { cardId: cardId ?? 0 } : { networkToken }),
  })
  try {
    const call = { ...newCall({ timeoutMs: TIMEOUT_MS }), idempotency: keyOf(challenge) }
    // The payer agreed to this amount, and to no other.
    await runCall(call, () => payByCard(deps, request, challenge.amount))
    return 'CHARGED'
  } catch (error) {
    return endOf(deps, challenge, error)
  }
}

/** A refusal says that nothing was charged. A lost answer and a request that still runs say nothing. */
function endOf({ log }: Deps, challenge: Challenge, error: unknown): 'REFUSED' | 'EXPIRED' | undefined {
  const isKnown = error instanceof DomainError && error.reason !== 'OUTCOME_UNKNOWN'
  if (!isKnown) log.error({ ...factsOf(challenge), err: error }, 'an authenticated payment failed')
  if (isKnown && error.kind !== 'unavailable' && error.kind !== 'conflict' && error.kind !== 'rate_limited') {
    log.info({ ...factsOf(challenge), reason: error.reason }, 'an authenticated payment was refused')
    return 'REFUSED'
  }
  // The request that runs may charge yet; another payment that is pending is no reason to wait for ever.
  const mayCharge = isKnown && error.reason === 'IDEMPOTENCY_KEY_IN_USE'
  const isOver = isKnown && !mayCharge && Date.now() > challenge.expiresAt + PAYING_MS
  return isOver ? 'EXPIRED' : undefined
}
