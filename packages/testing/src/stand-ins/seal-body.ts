import { createHmac } from 'node:crypto'
import { DomainError, type FieldError } from '@cofre/platform/errors'
import { CardKind, CardSource, type SealedCard } from '@cofre/proto/vault/v1/vault'

type Json = Record<string, unknown>

/** What is shown of every card of the stand-in, but its digits. */
export const SUMMARY = {
  bin: '',
  lastFour: '',
  brand: 'VISA',
  expirationYear: 2031,
  expirationMonth: 12,
  holderName: 'ANA SOUZA',
}

/**
 * Masks the cards of a body and tells their faults, after those that time has brought. A card's handle is its number
 * or its token.
 */
export function seal(bytes: Buffer, ofTime: readonly FieldError[] = [], kind = CardKind.PAYMENT_CARD) {
  let body: unknown
  try {
    body = JSON.parse(bytes.toString())
  } catch {
    throw new DomainError('invalid_argument', 'MALFORMED_JSON', 'The body is not JSON in UTF-8.')
  }
  const cards: SealedCard[] = []
  const errors = [...ofTime]
  walk('#', body, cards, errors)
  if (kind === CardKind.VOUCHER) sealVoucher(body, cards)
  return {
    body: Buffer.from(JSON.stringify(body)),
    fingerprint: createHmac('sha256', 'fingerprint').update(canonical(body)).digest(),
    cards,
    errors,
  }
}

function walk(pointer: string, value: unknown, cards: SealedCard[], errors: FieldError[]): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) sealObject(pointer, value as Json, cards, errors)
  for (const [name, held] of Object.entries(value)) walk(`${pointer}/${name}`, held, cards, errors)
}

function sealObject(pointer: string, value: Json, cards: SealedCard[], errors: FieldError[]): void {
  if (value.encryptedCard === 'undecryptable') {
    errors.push({ pointer: `${pointer}/encryptedCard`, code: 'UNDECRYPTABLE', detail: 'could not be opened' })
    delete value.encryptedCard
  }
  if (value.encryptedCard !== undefined) {
    delete value.encryptedCard
    Object.assign(value, { cardNumber: '4111111111111111', holder: { name: 'ANA SOUZA' } })
    Object.assign(value, { expiration: { year: 2031, month: 12 } })
  }
  if ('cardNumber' in value) {
    const number = textOf(value.cardNumber)
    value.cardNumber = '************'
    if (!/^\d{12,19}$/.test(number)) {
      errors.push({ pointer: `${pointer}/cardNumber`, code: 'LENGTH', detail: 'must have 12 to 19 digits' })
    }
    cards.push(sealedCard(pointer, CardSource.CARD, number))
  }
  if (pointer.endsWith('/cardToken') && 'token' in value) {
    if (!/^[0-9a-f]{64}$/.test(textOf(value.token))) {
      errors.push({ pointer: `${pointer}/token`, code: 'FORMAT', detail: 'must be 64 hexadecimal digits' })
    }
    cards.push(sealedCard(pointer, CardSource.CARD_TOKEN, textOf(value.token)))
  }
  if ('cvv' in value) value.cvv = '***'
}

/** A voucher card has other names: of its expiry, and of the object that names a token of it. */
function sealVoucher(body: unknown, cards: SealedCard[]): void {
  const value = (typeof body === 'object' && body !== null ? body : {}) as Json
  if ('expiration' in value) {
    delete value.expiration
    value.expires = { year: 31, month: 12 }
  }
  const named = value.card as Json | null | undefined
  if (typeof named?.token !== 'string') return
  const hasCvv = 'cvv' in named || 'encryptedCvv' in named
  delete named.encryptedCvv
  cards.push({ ...sealedCard('#/card', CardSource.VOUCHER_TOKEN, named.token), hasCvv })
}

/** One spelling of a JSON value: members in the order of their names. */
function canonical(body: unknown): string {
  return JSON.stringify(body, (_name, value: unknown) => {
    const sorted = typeof value === 'object' && value !== null && !Array.isArray(value)
    return sorted
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value
  })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function sealedCard(pointer: string, source: CardSource, handle: string): SealedCard {
  const card = { ...SUMMARY, bin: '411111', lastFour: '1111' }
  return { pointer, handle, source, card, usable: true, hasCvv: false }
}
