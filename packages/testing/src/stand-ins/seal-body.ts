import { createHmac } from 'node:crypto'
import { DomainError, type FieldError } from '@cofre/platform/errors'
import { jsonFault } from '@cofre/platform/json-fault'
import { lostInParsing } from '@cofre/platform/json-source'
import { CardKind, CardSource, type SealedCard } from '@cofre/proto/vault/v1/vault'

type Json = Record<string, unknown>

/** The summary of every card of the stand-in, without its digits. */
export const SUMMARY = {
  bin: '',
  lastFour: '',
  brand: 'VISA',
  expirationYear: 2049,
  expirationMonth: 12,
  holderName: 'ANA SOUZA',
}

/**
 * Masks the cards of a body and returns their faults, after those of `ofTime`. A card's handle is its number or its
 * token. For a voucher token with a CVV it is the token, `/` and the CVV. An encryptedCard `for-77` pays invoice 77 alone.
 */
export function seal(
  bytes: Buffer,
  ofTime: readonly FieldError[] = [],
  kind = CardKind.UNSPECIFIED,
  invoiceIds: readonly string[] = [],
) {
  let body: unknown
  try {
    body = JSON.parse(bytes.toString())
  } catch {
    throw new DomainError('invalid_argument', 'MALFORMED_JSON', jsonFault(bytes))
  }
  const cards: SealedCard[] = []
  const errors = [...lostInParsing(bytes.toString()), ...ofTime]
  walk('#', body, { cards, errors, kind, invoiceIds })
  return {
    body: Buffer.from(JSON.stringify(body)),
    fingerprint: createHmac('sha256', 'fingerprint').update(canonical(body)).digest(),
    cards,
    errors,
  }
}

type Found = { cards: SealedCard[]; errors: FieldError[]; kind: CardKind; invoiceIds: readonly string[] }

function walk(pointer: string, value: unknown, found: Found): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) sealObject(pointer, value as Json, found)
  for (const [name, held] of Object.entries(value)) walk(`${pointer}/${name}`, held, found)
}

function sealObject(pointer: string, value: Json, found: Found): void {
  const { cards, errors, kind, invoiceIds } = found
  const [, sealedFor] = /^for-(.+)$/.exec(textOf(value.encryptedCard)) ?? []
  if (sealedFor !== undefined && !invoiceIds.includes(sealedFor)) {
    errors.push({
      pointer: `${pointer}/encryptedCard`,
      code: 'OTHER_INVOICE',
      detail: 'was encrypted for another',
    })
  }
  if (value.encryptedCard === 'undecryptable') {
    errors.push({ pointer: `${pointer}/encryptedCard`, code: 'UNDECRYPTABLE', detail: 'could not be opened' })
    delete value.encryptedCard
  }
  if (gives(value, 'encryptedCard')) {
    delete value.encryptedCard
    Object.assign(value, { cardNumber: '4111111111111111', holder: { name: 'ANA SOUZA' } })
    const expiry = kind === CardKind.VOUCHER ? { expires: { year: 49, month: 12 } } : EXPIRATION
    Object.assign(value, expiry)
  }
  if (gives(value, 'cardNumber')) {
    const number = textOf(value.cardNumber)
    value.cardNumber = '************'
    if (!/^\d{12,19}$/.test(number)) {
      errors.push({ pointer: `${pointer}/cardNumber`, code: 'LENGTH', detail: 'must have 12 to 19 digits' })
    }
    const sealed = sealedCard(pointer, CardSource.CARD, number)
    const shown = { ...SUMMARY, brand: '', bin: number.slice(0, 6), lastFour: number.slice(-4) }
    cards.push(kind === CardKind.VOUCHER ? { ...sealed, card: shown, hasCvv: gives(value, 'cvv') } : sealed)
  }
  if (pointer.endsWith(kind === CardKind.VOUCHER ? '/card' : '/cardToken') && gives(value, 'token')) {
    sealToken(pointer, value, found)
  }
  if (gives(value, 'cvv')) value.cvv = '***'
}

/** Null is no value. */
function gives(value: Json, member: string): boolean {
  return value[member] !== undefined && value[member] !== null
}

function sealToken(pointer: string, value: Json, { cards, errors, kind }: Found): void {
  const token = textOf(value.token)
  if (!/^[0-9a-f]{64}$/.test(token)) {
    errors.push({ pointer: `${pointer}/token`, code: 'FORMAT', detail: 'must be 64 hexadecimal digits' })
  }
  if (kind !== CardKind.VOUCHER) {
    cards.push(sealedCard(pointer, CardSource.CARD_TOKEN, token))
    return
  }
  if (gives(value, 'encryptedCvv')) {
    delete value.encryptedCvv
    value.cvv = '123'
  }
  const cvv = textOf(value.cvv)
  const handle = cvv === '' ? token : `${token}/${cvv}`
  const sealed = sealedCard(pointer, CardSource.VOUCHER_TOKEN, handle)
  cards.push({ ...sealed, card: undefined, hasCvv: cvv !== '' })
}

const EXPIRATION = { expiration: { year: 2049, month: 12 } }

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
