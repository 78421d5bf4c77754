import { databaseNow } from '@cofre/platform/service/database-clock'
import { DomainError } from '@cofre/platform/errors'
import { newCall, runCall, type IdempotencyKey } from '@cofre/platform/grpc/call-context'
import { keptAnswer } from '@cofre/platform/idempotency/mark'
import { PayByCardRequest } from '@cofre/proto/invoices/v1/payments'
import type { CardAuthentication } from '@cofre/proto/orders/v1/orders'
import type { Db } from '@cofre/platform/postgres/postgres'
import type { Deps } from '../../deps'
import { discardCard } from '../store/kept-card-store'
import { ownKey } from '../own-key'
import { payByCard } from '../pay-by-card'
import { move, PAYING_MS, type Challenge, type ChallengeRefusal } from './challenge'
import { isMarked, ownKeptCard, updateChallenge } from './challenge-store'

/**
 * Has the card of an AUTHENTICATED challenge charged, at most once however often it is called, and ends the challenge.
 * When nothing was done, nobody tries again: the payer sees that, and may pay again.
 */
export async function payAuthenticated(
  deps: Deps,
  challenge: Challenge,
  authentication: CardAuthentication,
): Promise<Challenge> {
  try {
    await pay(deps, challenge, authentication)
  } catch (err) {
    const isKnown = err instanceof DomainError
    const facts = factsOf(challenge)
    if (isKnown) deps.log.info({ ...facts, reason: err.reason }, 'an authenticated payment was refused')
    else deps.log.error({ ...facts, err }, 'an authenticated payment failed')
    const isOther = isKnown && err.reason === 'AMOUNT_CHANGED'
    return endAsPaid(deps, challenge, isOther ? 'AMOUNT_CHANGED' : 'NOT_PAID')
  }
  return end(deps, challenge, 'CHARGED')
}

/**
 * Ends an AUTHENTICATED challenge without charging anything: like the payment that was begun under its key, or REFUSED
 * when there is none. It stays as long as that payment has no outcome.
 */
export async function endAsPaid(
  deps: Deps,
  challenge: Challenge,
  refusal: ChallengeRefusal = 'NOT_PAID',
): Promise<Challenge> {
  const payment = await findPayment(deps, challenge)
  if (payment === 'running') return challenge
  if (payment === 'answered') return end(deps, challenge, 'CHARGED')
  return end(deps, challenge, 'REFUSED', refusal)
}

async function end(
  deps: Deps,
  challenge: Challenge,
  status: 'CHARGED' | 'REFUSED',
  refusal: ChallengeRefusal | null = null,
): Promise<Challenge> {
  const ended = await endChallenge(deps, challenge, status, refusal)
  deps.log.info({ ...factsOf(challenge), status: ended.status }, 'challenge ended')
  return ended
}

/** Ends a challenge that is not over, and releases the card that was stored for it. */
export async function endChallenge(
  { pool }: Pick<Deps, 'pool'>,
  { id, status: known }: Challenge,
  status: 'CHARGED' | 'REFUSED' | 'EXPIRED',
  refusal: ChallengeRefusal | null = null,
): Promise<Challenge> {
  const { challenge } = await updateChallenge(pool, id, async (found, tx) => {
    // The challenge is over, or another process decided it meanwhile.
    if (found.askAt === null || found.status !== known) return undefined
    await letGoOfCard(tx, found, status === 'CHARGED')
    return { ...move(found, status, databaseNow()), refusal }
  })
  return challenge
}

/** Discards a card of ours, unless the customer keeps it. */
export async function letGoOfCard(tx: Db, challenge: Challenge, isCharged: boolean): Promise<void> {
  const { sellerId, cardId, cardIsOurs, keepCard } = challenge
  if (!cardIsOurs || cardId === null) return
  const isKept = isCharged && keepCard && (await ownKeptCard(tx, challenge))
  if (!isKept) await discardCard(tx, { sellerId, cardId })
}

export function factsOf({ sellerId, invoiceId, id }: Challenge): Record<string, unknown> {
  return { sellerId, invoiceId, challengeId: id }
}

/**
 * Finds the payment that was begun under a challenge's own key. `running`: its outcome is not known yet. `none`:
 * nothing was begun, or nothing was done and the key is free.
 */
async function findPayment(
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
  return ownKey(key, `invoices/challenges/${key}`)
}

async function pay(deps: Deps, challenge: Challenge, authentication: CardAuthentication): Promise<void> {
  const { sellerId, invoiceId, installments, cardId, networkToken, keepCard, keepConsent, updatedAt } =
    challenge
  const request = PayByCardRequest.fromPartial({
    sellerId,
    invoiceId,
    installments,
    keepCard,
    keepConsent: keepConsent ?? undefined,
    authentication,
    // The payer agreed to this amount, and to no other.
    expectedAmount: challenge.amount,
    ...(networkToken === null ? { cardId: cardId ?? 0 } : { networkToken }),
  })
  const call = { ...newCall({ timeoutMs: PAYING_MS }), deadline: updatedAt + PAYING_MS }
  await runCall({ ...call, idempotency: keyOf(challenge) }, () => payByCard(deps, request))
}
