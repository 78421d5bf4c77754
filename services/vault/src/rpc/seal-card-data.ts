import { DomainError } from '@cofre/platform/errors'
import { isBounded } from '@cofre/platform/json'
import {
  CardSource,
  type SealCardDataRequest,
  type SealCardDataResponse,
  type SealedCard,
} from '@cofre/proto/vault/v1/vault'
import type { StoredCard } from '../cards/card'
import { readCardBody } from '../body/card-body'
import type { FoundCard } from '../body/card-fields'
import { findCardsByToken } from '../cards/card-store'
import type { Deps } from '../deps'
import { MAX_ENCRYPTED, openEncryptedFields } from '../body/encrypted-fields'
import { bodyFingerprint } from '../cards/fingerprint'
import { sealHandle } from '../cards/handle'
import { isJsonObject, parseJson, type JsonObject } from '../body/json'

const MAX_BODY_BYTES = 256 * 1024
const MAX_CARDS = 20
/** As many as an HTTP answer lists. */
const MAX_ERRORS = 20

export async function sealCardData(deps: Deps, request: SealCardDataRequest): Promise<SealCardDataResponse> {
  const { sellerId } = request
  const body = readBody(request.body)
  const stale = await openEncryptedFields(body, deps.encryptionKey.decrypt, deps.now())
  if (!stale || !isBounded(body)) throw tooMuch()
  const { masked, found, errors } = readCardBody(body, deps.now(), stale)
  if (found.length > MAX_CARDS) throw tooMuch()
  const tokens = found.flatMap((it) => (it.source === 'token' && it.token ? [it.token] : []))
  const stored = await findCardsByToken(deps.pool, sellerId, tokens)
  return {
    body: Buffer.from(JSON.stringify(masked)),
    fingerprint: bodyFingerprint(deps.keys, sellerId, masked),
    cards: found.map((it) =>
      it.source === 'card' ? sealCard(deps, sellerId, it) : sealToken(deps, sellerId, it, stored),
    ),
    errors: errors.slice(0, MAX_ERRORS),
  }
}

function readBody(bytes: Buffer): JsonObject {
  if (bytes.length > MAX_BODY_BYTES) throw tooMuch()
  const body = parseJson(bytes)
  if (body === undefined) {
    throw new DomainError('invalid_argument', 'MALFORMED_JSON', 'The body is not JSON in UTF-8.')
  }
  if (!isBounded(body)) throw tooMuch()
  if (isJsonObject(body)) return body
  const errors = [{ pointer: '#', code: 'TYPE', detail: 'must be an object' }]
  throw new DomainError('invalid_argument', 'VALIDATION_FAILED', 'The body is not an object.', { errors })
}

function sealCard(
  { keys, now }: Deps,
  sellerId: number,
  { pointer, shown, card, hasCvv }: FoundCard & { source: 'card' },
): SealedCard {
  return {
    pointer,
    handle: card ? sealHandle(keys, sellerId, { card }, now()) : '',
    source: CardSource.CARD,
    card: shown,
    usable: card !== undefined,
    hasCvv,
  }
}

function sealToken(
  { keys, now }: Deps,
  sellerId: number,
  { pointer, token, cvv }: FoundCard & { source: 'token' },
  stored: readonly StoredCard[],
): SealedCard {
  const known = stored.find((it) => it.token === token)
  const sealed = known && { cardId: known.id, ...(cvv ? { cvv } : {}) }
  return {
    pointer,
    handle: sealed ? sealHandle(keys, sellerId, sealed, now()) : '',
    source: CardSource.CARD_TOKEN,
    card: known?.card,
    usable: known !== undefined,
    hasCvv: cvv !== undefined,
  }
}

function tooMuch(): DomainError {
  return new DomainError(
    'invalid_argument',
    'VALIDATION_FAILED',
    `The body is too large, too deep, or names more than ${MAX_CARDS} cards or ${MAX_ENCRYPTED} encrypted ones.`,
  )
}
