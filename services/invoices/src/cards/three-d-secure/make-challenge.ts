import { databaseNow } from '@cofre/platform/service/database-clock'
import { startedAuthentication } from '@cofre/api/three-d-secure'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { answerMark, insertMark, type Mark } from '@cofre/platform/idempotency/mark'
import { withTransaction, type PoolClient } from '@cofre/platform/postgres/postgres'
import type { PayByCardRequest } from '@cofre/proto/invoices/v1/payments'
import type { StartAuthenticationResponse } from '@cofre/proto/invoices/v1/three_d_secure'
import type { Deps } from '../../deps'
import type { CardReference, Result } from './authentication-server'
import { CHALLENGE_MS, LEASE_MS, move, type Challenge } from './challenge'
import { insertChallenge, updateChallenge } from './challenge-store'
import { letGoOfCard } from './pay-authenticated'

/** `cardId`: the id of a card that is stored already. */
export type PayersCard = { reference: CardReference; cardId?: number | undefined }

type Making = {
  payment: PayByCardRequest
  card: PayersCard
  /** Cents. */
  amount: number
  challengeId: string
  result: Result
  mark: Mark
}

/** `kept`: another request with the same key was faster, and its answer holds. */
type Made = Replayable<StartAuthenticationResponse> | { kept: Uint8Array }

/**
 * Saves a challenge that waits for the payer, with the request's mark and its answer. A card that came with the request
 * is stored first: its handle might expire before, and is saved nowhere. Its CVV is gone then.
 */
export async function makeChallenge(deps: Deps, making: Making): Promise<Made> {
  const { payment, card, challengeId } = making
  const at = databaseNow()
  const draft = draftOf(making, at)
  const answer = answerOf(making, draft)
  if (!('handle' in card.reference)) {
    return withTransaction(deps.pool, async (tx) => {
      const kept = await keep(tx, making, answer)
      if (kept) return kept
      await insertChallenge(tx, { ...draft, status: 'PENDING', askAt: draft.expiresAt })
      return { response: answer, replayed: false }
    })
  }
  // A process that ends here leaves a row, with which the sweeper finds the card and has it destroyed.
  const { id } = await insertChallenge(deps.pool, draft)
  const { id: cardId } = await deps.cards.store(payment.sellerId, card.reference.handle, challengeId)
  let kept: { kept: Uint8Array } | undefined
  await updateChallenge(deps.pool, id, async (found, tx) => {
    kept = await keep(tx as PoolClient, making, answer)
    const stored = { ...found, cardId }
    if (!kept) return move(stored, 'PENDING', at)
    await letGoOfCard(tx, stored, false)
    return move(stored, 'EXPIRED', at)
  })
  return kept ?? { response: answer, replayed: false }
}

/** Saves the answer under the key. Returns the answer that the key has already, if any. */
async function keep(
  tx: PoolClient,
  { mark }: Making,
  answer: StartAuthenticationResponse,
): Promise<{ kept: Uint8Array } | undefined> {
  const kept = await insertMark(tx, mark)
  if (kept) return { kept }
  if (mark.key) await answerMark(tx, mark.operationId, startedAuthentication.encode(answer).finish())
  return undefined
}

function draftOf({ payment, card, amount, challengeId, result }: Making, at: number): Omit<Challenge, 'id'> {
  const { sellerId, invoiceId, installments, keepCard, keepConsent, networkToken } = payment
  return {
    publicId: challengeId,
    sellerId,
    invoiceId,
    authenticationId: result.authenticationId,
    status: 'STORING',
    refusal: null,
    cardId: card.cardId ?? null,
    networkToken: networkToken === '' ? null : networkToken,
    cardIsOurs: 'handle' in card.reference,
    keepCard,
    keepConsent: keepCard ? (keepConsent ?? null) : null,
    installments,
    amount,
    expiresAt: at + CHALLENGE_MS,
    askAt: at + LEASE_MS,
    createdAt: at,
    updatedAt: at,
  }
}

function answerOf(
  { payment: { invoiceId }, result }: Making,
  { expiresAt }: Pick<Challenge, 'expiresAt'>,
): StartAuthenticationResponse {
  return { challenge: { invoiceId, url: result.challengeUrl, expiresAt }, charge: undefined }
}
