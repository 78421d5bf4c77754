import { maskCardNumbersIn } from '@cofre/platform/card/card-number'
import { pointerTo } from '@cofre/platform/json'
import { addFault, readCard, readCardToken, type Masked, type Reading } from './card-fields'
import { isJsonObject, type Json, type JsonObject } from './json'
import { HIDDEN, isSensitiveName } from '@cofre/platform/card/sensitive-names'
import { voucherNumbersIn } from './voucher-number'

export type CardBody = Pick<Reading, 'found' | 'errors'> & { masked: JsonObject }

/** A body with more cards is refused. */
export const MAX_CARDS = 20

/** The member whose `token` names a kept card. */
export const TOKEN_MEMBERS = { payment_card: 'cardToken', voucher: 'card' } as const

/**
 * Finds every card and stored card in a body, masks all card data, and lists the faults found. The body must be
 * bounded, with its encrypted members already opened. `seals`: objects whose encryption has a fault.
 * `now`: epoch milliseconds.
 */
export function readCardBody(
  body: JsonObject,
  now: number,
  {
    kind = 'payment_card',
    seals = new Map(),
    unknown = new Map(),
  }: Partial<Pick<Reading, 'kind' | 'seals' | 'unknown'>> = {},
): CardBody {
  const numbers = kind === 'voucher' ? voucherNumbersIn(body, MAX_CARDS) : new Set<string>()
  const reading: Reading = { now, kind, seals, unknown, numbers, found: [], errors: [] }
  const masked = maskObject(reading, body, '#', '')
  return { masked, found: reading.found, errors: reading.errors }
}

function maskObject(reading: Reading, object: JsonObject, pointer: string, name: string): JsonObject {
  if (Object.hasOwn(object, 'cardNumber') || Object.hasOwn(object, 'encryptedCard')) {
    return maskMembers(reading, object, pointer, readCard(reading, object, pointer))
  }
  if (name === TOKEN_MEMBERS[reading.kind] && Object.hasOwn(object, 'token')) {
    return maskMembers(reading, object, pointer, readCardToken(reading, object, pointer))
  }
  return maskMembers(reading, object, pointer, {})
}

/** Masks an object's members, names included. `own`: the card data that belongs in it; any other is misplaced. */
function maskMembers(reading: Reading, object: JsonObject, pointer: string, own: Masked): JsonObject {
  const members = Object.entries(object).map(([name, value]): [string, Json] => {
    const shownName = maskCardNumbersIn(name, reading.numbers)
    const at = pointerTo(pointer, shownName)
    const sensitive = isSensitiveName(name)
    if (shownName !== name || (sensitive && !Object.hasOwn(own, name))) addMisplaced(reading, at)
    return [shownName, sensitive ? (own[name] ?? HIDDEN) : maskValue(reading, value, at, name)]
  })
  return Object.fromEntries(members)
}

function maskValue(reading: Reading, value: Json, pointer: string, name: string): Json {
  if (Array.isArray(value)) {
    return value.map((element, index) => maskValue(reading, element, pointerTo(pointer, index), ''))
  }
  if (isJsonObject(value)) return maskObject(reading, value, pointer, name)
  if (typeof value !== 'string' && typeof value !== 'number') return value
  const text = String(value)
  // A CNPJ has as many digits as a Diners card, and some have its prefix and check digit.
  const isDocument = name === 'document' && /^\d{11}(\d{3})?$/.test(text)
  if (isDocument && !reading.numbers.has(text)) return value
  const masked = maskCardNumbersIn(text, reading.numbers)
  if (masked === text) return value
  addMisplaced(reading, pointer)
  return masked
}

function addMisplaced(reading: Reading, pointer: string): void {
  addFault(reading, pointer, 'CARD_DATA_MISPLACED', 'must not contain card data')
}
