import { randomBytes, randomUUID } from 'node:crypto'
import { databaseNow } from '@cofre/platform/service/database-clock'
import { DomainError } from '@cofre/platform/errors'
import type { Reason } from '@cofre/platform/reason'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import type { Db } from '@cofre/platform/postgres/postgres'
import { NetworkToken as Message, type RequestTokenRequest } from '@cofre/proto/networktoken/v1/networktoken'
import type { SealedCard } from '@cofre/proto/vault/v1/vault'
import type { Deps, RpcDeps } from '../deps'
import type { NetworkToken } from '../token/network-token'
import { toMessage } from '../token/network-token-message'
import { insertToken, testedSince } from '../token/network-token-store'

const BRANDS = ['VISA', 'MASTERCARD']

/**
 * Keeps the card in the vault, saves the request with its idempotency key, and answers. The token service is asked
 * afterwards. When the request is not saved, its card is destroyed again, by the vault itself if need be.
 */
export async function requestToken(
  deps: RpcDeps,
  request: RequestTokenRequest,
): Promise<Replayable<Message>> {
  const { sellerId, card: sealed, notificationUrl, cardToken } = request
  if (!sealed || (sealed.usable && !sealed.card) || !notificationUrl.startsWith('https://'))
    throw invalidRequest()
  const token = randomBytes(32).toString('hex')
  const prepared = await prepare(deps, sellerId, token, sealed)
  const discard = () => discardCard(deps, prepared, { sellerId, token })
  const answer = await withIdempotency(deps.pool, sellerId, Message, async (tx) => {
    if (prepared instanceof DomainError) throw prepared
    await refuseTesting(deps, tx, sellerId, sealed)
    const made = newToken(
      { ...prepared, token, sellerId, notificationUrl, cardToken: cardToken || null, sealed },
      deps.rules.ownMs,
    )
    await insertToken(tx, made)
    return toMessage(made)
  }).catch((error: unknown) => {
    // After any other error the token may have been saved, so its card must stay in the vault.
    if (error instanceof DomainError) discard()
    throw error
  })
  if (answer.replayed) discard()
  else deps.resolver.begin({ sellerId, token }, sealed.handle)
  return answer
}

/** The vault keeps the card under the new token. */
type Prepared = { merchantId: string }

/**
 * Finds the account and keeps the card, before the transaction. A refusal is returned, not thrown: a repeated request
 * gets its first answer, even if its card or account is gone.
 */
async function prepare(
  { accounts, numbers }: Deps,
  sellerId: number,
  token: string,
  sealed: SealedCard,
): Promise<Prepared | DomainError> {
  try {
    const merchantId = await accounts.find(sellerId)
    if (!sealed.usable || sealed.handle === '')
      throw refused('CARD_TOKEN_UNUSABLE', 'The card token cannot be used.', `${sealed.pointer}/token`)
    if (!BRANDS.includes(sealed.card?.brand ?? '')) {
      throw refused('CARD_BRAND_UNSUPPORTED', 'Network tokens are for Visa and Mastercard.', sealed.pointer)
    }
    await numbers.keep({ sellerId, token, handle: sealed.handle })
    return { merchantId }
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}

/** Throws RATE_LIMITED, as for charges: someone with many card numbers must not learn here which of them work. */
async function refuseTesting({ rules }: Deps, tx: Db, sellerId: number, { card }: SealedCard): Promise<void> {
  const at = databaseNow()
  const since = await testedSince(tx, { sellerId, bin: card?.bin ?? '', at }, rules.declinesPerMinute)
  if (!since) return
  const waitMs = since.getTime() + 60_000 - at
  throw new DomainError(
    'rate_limited',
    'RATE_LIMITED',
    'Too many declined requests with cards like this one.',
    {
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
    },
  )
}

type Parts = Pick<NetworkToken, 'token' | 'sellerId' | 'merchantId' | 'notificationUrl' | 'cardToken'> & {
  sealed: SealedCard
}

function newToken({ sealed, ...parts }: Parts, ownMs: number): NetworkToken {
  const at = databaseNow()
  const { bin = '', lastFour = '', brand = '', expirationYear = 0, expirationMonth = 0 } = sealed.card ?? {}
  const holderName = sealed.card?.holderName ?? ''
  return {
    ...parts,
    reference: randomUUID(),
    partnerId: null,
    status: 'PENDING',
    reason: null,
    card: { bin, lastFour, brand, expirationYear, expirationMonth, holderName },
    cardIsCurrent: true,
    dispatchDeadline: null,
    cleanup: null,
    askAt: at + ownMs,
    version: 1,
    sequence: 0,
    createdAt: at,
    updatedAt: at,
  }
}

/** Has the vault destroy the card of an unsaved token, if `prepare` kept one there. */
function discardCard(
  { numbers, log }: Deps,
  prepared: Prepared | DomainError,
  of: { sellerId: number; token: string },
): void {
  if (prepared instanceof DomainError) return
  numbers
    .destroy(of)
    .catch((err: unknown) => log.warn({ err }, 'the vault did not destroy the card of an unsaved token'))
}

function refused(code: Reason, message: string, pointer: string): DomainError {
  const errors = [{ pointer, code, detail: message }]
  return new DomainError('failed_precondition', code, message, { errors })
}

function invalidRequest(): DomainError {
  return new DomainError('invalid_argument', 'VALIDATION_FAILED', 'A card and an https URL are needed.')
}
