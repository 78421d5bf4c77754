import { randomBytes } from 'node:crypto'
import { databaseNow } from '@cofre/platform/service/database-clock'
import { DomainError, notFound } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { BeginRedirectResponse, type BeginRedirectRequest } from '@cofre/proto/vouchers/v1/vouchers'
import {
  redirectBrand,
  refused,
  unsupported,
  usableBrand,
  type CardType,
  type RedirectBrand,
} from '../brands/brand'
import type { Deps } from '../deps'
import { sealState, type State } from '../redirect/state'
import { insertPendingToken } from '../tokens/token-store'
import type { VoucherToken } from '../tokens/voucher-token'
import { cardTypeOf, fault, throwFaults } from './request-check'

/** How long the holder has to come back. */
const LIFETIME_MS = 15 * 60_000
const URL_MAX = 200
const REFERENCE_MAX = 36

/** Makes a PENDING token, and the URL at which the card's holder authorizes it. */
export async function beginRedirect(
  deps: Deps,
  request: BeginRedirectRequest,
): Promise<Replayable<BeginRedirectResponse>> {
  const cardType = checkRequest(request)
  const { pool, identityProvider, stateKeys } = deps
  const { sellerId } = request
  const way = await wayOf(deps, request, cardType)
  return withIdempotency(pool, sellerId, BeginRedirectResponse, async (tx) => {
    if ('refusal' in way) throw way.refusal
    const { brand, clientId, authorizationEndpoint } = way
    if (!stateKeys) throw new Error('STATE_KEYS_FILE is missing')
    const token = newToken(request, { cardType, brand: brand.name, clientId })
    await insertPendingToken(tx, token)
    const state: State = { token: token.token, sellerId, nonce: secret(), verifier: secret() }
    const sealed = sealState(stateKeys, state)
    const place = { clientId, authorizationEndpoint }
    return { authUrl: await identityProvider.authorizationUrl(brand, place, sealed, state) }
  })
}

type Way = { brand: RedirectBrand; clientId: string; authorizationEndpoint: string }

/** Returns the brand, client and place, or a refusal that is not thrown yet: a repeated request gets its first answer. */
async function wayOf(
  deps: Deps,
  request: BeginRedirectRequest,
  cardType: CardType,
): Promise<Way | { refusal: DomainError }> {
  try {
    const brand = brandOf(deps, request)
    const clientId = await deps.accounts.find(request.sellerId, brand.identity.partner)
    const account = await deps.accounts.find(request.sellerId, brand.partner)
    if (clientId === undefined || account === undefined) {
      throw unsupported('This voucher brand is not set up for the seller.', '#')
    }
    if (!brand.cardTypes.includes(cardType)) {
      throw refused('VOUCHER_CARD_MISMATCH', 'The brand has no cards of this type.', '#/cardType')
    }
    const deadline = databaseNow() + deps.rules.issuerTimeoutMs
    const asker = { sellerId: request.sellerId, clientId, deadline }
    const authorizationEndpoint = await deps.identityProvider.authorizationEndpoint(brand, asker)
    return { brand, clientId, authorizationEndpoint }
  } catch (refusal) {
    if (refusal instanceof DomainError) return { refusal }
    throw refusal
  }
}

/** Throws NOT_FOUND for a brand unknown to the settings, VOUCHER_BRAND_UNSUPPORTED for one without this flow. */
function brandOf({ brands }: Deps, { brandSegment }: BeginRedirectRequest): RedirectBrand {
  const name = brandSegment.toUpperCase()
  if (!brands.has(name)) throw notFound()
  usableBrand(brands, name, '#')
  const brand = redirectBrand(brands, name)
  if (!brand) throw unsupported('Cards of this brand are tokenized by their number.', '#')
  return brand
}

function checkRequest({ cardType, notificationUrl, cardReference }: BeginRedirectRequest): CardType {
  const type = cardTypeOf(cardType)
  const isUrl = notificationUrl !== '' && notificationUrl.length <= URL_MAX
  throwFaults([
    ...(type ? [] : [fault('#/cardType', 'ENUM', 'must be MEAL or FOOD')]),
    ...(isUrl ? [] : [fault('#/notificationUrl', 'LENGTH', `must have 1 to ${URL_MAX} characters`)]),
    ...(cardReference.length <= REFERENCE_MAX
      ? []
      : [fault('#/cardReference', 'MAX', `must be at most ${REFERENCE_MAX} characters`)]),
  ])
  return type as CardType
}

/** Returns 256 random bits: more than RFC 7636, 7.1 asks of a verifier. */
function secret(): string {
  return randomBytes(32).toString('base64url')
}

function newToken(
  { sellerId, notificationUrl, cardReference }: BeginRedirectRequest,
  { cardType, brand, clientId }: { cardType: CardType; brand: string; clientId: string },
): VoucherToken {
  const at = databaseNow()
  const expiresAt = at + LIFETIME_MS
  return {
    token: randomBytes(32).toString('hex'),
    sellerId,
    cardType,
    brand,
    status: 'PENDING',
    reason: null,
    bin: '',
    lastFour: '',
    redirect: {
      notificationUrl,
      cardReference: cardReference || null,
      clientId,
      phase: 'SENT',
      codeHash: null,
      codeVerifier: null,
      expiresAt,
      askAt: expiresAt,
      issuerCardId: null,
      accessExpiresAt: null,
    },
    version: 1,
    sequence: 0,
    createdAt: at,
    updatedAt: at,
  }
}
