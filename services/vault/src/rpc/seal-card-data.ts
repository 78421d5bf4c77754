import { DomainError } from '@cofre/platform/errors'
import { isBounded } from '@cofre/platform/json'
import { jsonFault } from '@cofre/platform/json-fault'
import {
  CardKind,
  CardSource,
  type SealCardDataRequest,
  type SealCardDataResponse,
  type SealedCard,
} from '@cofre/proto/vault/v1/vault'
import type { StoredCard } from '../cards/card'
import { issuerIn, NO_ROWS, withCurrentBrand, type BinTable } from '../bins/bin-table'
import { MAX_CARDS, readCardBody, TOKEN_MEMBERS } from '../body/card-body'
import type { FoundCard, Reading } from '../body/card-fields'
import { findCardsByToken } from '../cards/card-store'
import type { Deps } from '../deps'
import { MAX_ENCRYPTED, openEncryptedFields } from '../body/encrypted-fields'
import { bodyFingerprint } from '../cards/fingerprint'
import { sealHandle } from '../cards/handle'
import { lostOf, parseJson, type Json, type JsonObject } from '../body/json'

type FoundToken = Exclude<FoundCard, { source: 'card' }>

const MAX_BODY_BYTES = 256 * 1024
/** The most errors that an HTTP answer lists. */
const MAX_ERRORS = 20

export async function sealCardData(deps: Deps, request: SealCardDataRequest): Promise<SealCardDataResponse> {
  const { sellerId, invoiceIds } = request
  const kind = request.kind === CardKind.VOUCHER ? 'voucher' : 'payment_card'
  const body = readBody(request.body)
  const { decrypt } = deps.encryptionKey
  const reader = { decrypt, sellerId, invoiceIds, now: deps.now(), tokenMember: TOKEN_MEMBERS[kind] }
  const opened = await openEncryptedFields(body, reader)
  if (!opened || !isBounded(body)) throw tooMuch()
  // No voucher has its brand from its number.
  const table = kind === 'voucher' ? NO_ROWS : await deps.bins.table()
  const issuedBy = (digits: string) => issuerIn(table, digits)
  const { masked, found, errors } = readCardBody(body, reader.now, { kind, issuedBy, ...opened })
  if (found.length > MAX_CARDS) throw tooMuch()
  const tokens = found.flatMap((it) => (it.source === 'token' && it.token ? [it.token] : []))
  const stored = await findStored(deps, sellerId, tokens, table)
  return {
    body: Buffer.from(JSON.stringify(masked)),
    fingerprint: bodyFingerprint(deps.keys, sellerId, masked),
    cards: found.map((it) => {
      if (it.source === 'card') return sealCard(deps, sellerId, it, kind)
      return it.source === 'token'
        ? sealToken(deps, sellerId, it, stored)
        : sealVoucherToken(deps, sellerId, it)
    }),
    errors: [...lostOf(request.body), ...errors].slice(0, MAX_ERRORS),
  }
}

async function findStored(
  { pool }: Deps,
  sellerId: number,
  tokens: string[],
  table: BinTable,
): Promise<StoredCard[]> {
  const stored = await findCardsByToken(pool, sellerId, tokens)
  return stored.map((one) => ({ ...one, card: withCurrentBrand(table, one.card) }))
}

/** Returns an object, or a list of objects: the metadata of a charge may come as a read shows them. */
function readBody(bytes: Buffer): JsonObject | Json[] {
  if (bytes.length > MAX_BODY_BYTES) throw tooMuch()
  const body = parseJson(bytes)
  if (body === undefined) {
    throw new DomainError('invalid_argument', 'MALFORMED_JSON', jsonFault(bytes))
  }
  if (!isBounded(body)) throw tooMuch()
  if (typeof body === 'object' && body !== null) return body
  const errors = [{ pointer: '#', code: 'TYPE', detail: 'must be an object' }]
  throw new DomainError('invalid_argument', 'VALIDATION_FAILED', 'The body is not an object.', { errors })
}

function sealCard(
  { keys, now }: Deps,
  sellerId: number,
  { pointer, shown, card, hasCvv }: FoundCard & { source: 'card' },
  kind: Reading['kind'],
): SealedCard {
  const sealed = card && (kind === 'voucher' ? { voucher: card } : { card })
  return {
    pointer,
    handle: sealed ? sealHandle(keys, sellerId, sealed, now()) : '',
    source: CardSource.CARD,
    card: shown,
    usable: card !== undefined,
    hasCvv,
    ...(card && kind === 'voucher' ? { numberLength: card.number.reveal().length } : {}),
  }
}

function sealToken(
  { keys, now }: Deps,
  sellerId: number,
  { pointer, token, cvv }: FoundToken,
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

/** Seals a voucher token unchecked: the vouchers service alone knows its tokens, and some have no number here. */
function sealVoucherToken(
  { keys, now }: Deps,
  sellerId: number,
  { pointer, token, cvv }: FoundToken,
): SealedCard {
  const sealed = token === undefined ? undefined : { voucherToken: token, ...(cvv ? { cvv } : {}) }
  return {
    pointer,
    handle: sealed ? sealHandle(keys, sellerId, sealed, now()) : '',
    source: CardSource.VOUCHER_TOKEN,
    card: undefined,
    usable: sealed !== undefined,
    hasCvv: cvv !== undefined,
  }
}

function tooMuch(): DomainError {
  return new DomainError(
    'invalid_argument',
    'VALIDATION_FAILED',
    `The body is too large, too deep, or has more than ${MAX_CARDS} cards or ${MAX_ENCRYPTED} encrypted cards.`,
  )
}
