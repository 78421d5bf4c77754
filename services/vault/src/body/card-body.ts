import { issuerOf } from '@cofre/platform/card/card-brand'
import { LONGEST_TEXT, LOOKS_LIKE_CARD, maskCardNumbersIn } from '@cofre/platform/card/card-number'
import { isAskedNumber } from '@cofre/platform/card/tax-number'
import { pointerTo } from '@cofre/platform/json'
import { addFault, readCard, readCardToken, type Masked, type Reading } from './card-fields'
import { gives, isJsonObject, type Json, type JsonObject } from './json'
import { HIDDEN, isSensitiveName } from '@cofre/platform/card/sensitive-names'
import { voucherNumbersIn } from './voucher-number'

export type CardBody = Pick<Reading, 'found' | 'errors'> & { masked: Json }

/** A body with more cards is refused. */
export const MAX_CARDS = 20

/** The member whose `token` names a kept card. */
export const TOKEN_MEMBERS = { payment_card: 'cardToken', voucher: 'card' } as const

/**
 * Finds every card and stored card in a body, masks all card data, and lists the faults found. The body must be
 * bounded, with its encrypted members already opened. `seals`: objects whose encryption has a fault. `issuedBy`: which
 * brand issued a number. `now`: epoch milliseconds.
 */
export function readCardBody(
  body: JsonObject | Json[],
  now: number,
  {
    kind = 'payment_card',
    seals = new Map(),
    unknown = new Map(),
    issuedBy = issuerOf,
  }: Partial<Pick<Reading, 'kind' | 'seals' | 'unknown' | 'issuedBy'>> = {},
): CardBody {
  const numbers = kind === 'voucher' ? voucherNumbersIn(body, MAX_CARDS) : new Set<string>()
  const reading: Reading = { now, kind, seals, unknown, issuedBy, numbers, found: [], errors: [] }
  const masked = maskValue(reading, body, '#', '')
  return { masked, found: reading.found, errors: reading.errors }
}

function maskObject(reading: Reading, object: JsonObject, pointer: string, name: string): JsonObject {
  if (gives(object, 'cardNumber') || gives(object, 'encryptedCard')) {
    return maskMembers(reading, object, pointer, readCard(reading, object, pointer))
  }
  if (name === TOKEN_MEMBERS[reading.kind] && gives(object, 'token')) {
    return maskMembers(reading, object, pointer, readCardToken(reading, object, pointer))
  }
  return maskMembers(reading, object, pointer, {})
}

/** Masks an object's members, names included. `own`: the card data that belongs in it; any other is misplaced. */
function maskMembers(reading: Reading, object: JsonObject, pointer: string, own: Masked): JsonObject {
  const members = Object.entries(object).map(([name, value]): [string, Json] => {
    const shortName = shortened(name)
    const shownName = maskCardNumbersIn(shortName, reading.numbers)
    const at = pointerTo(pointer, shownName)
    // Null holds nothing: the member is as absent as any other.
    const sensitive = isSensitiveName(name) && value !== null
    if (shownName !== shortName) addMisplaced(reading, at, LOOKS_LIKE_CARD)
    else if (sensitive && !Object.hasOwn(own, name)) addMisplaced(reading, at, BELONGS_IN_A_CARD)
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
  const text = shortened(String(value))
  const masked = maskCardNumbersIn(text, reading.numbers)
  if (masked === text) return typeof value === 'string' ? text : value
  if (isAskedNumber(pointer, text) && !reading.numbers.has(text)) return value
  addMisplaced(reading, pointer, LOOKS_LIKE_CARD)
  return masked
}

/** Returns a text up to where every field refuses it for its length: the rest is not searched, and goes nowhere. */
function shortened(text: string): string {
  // One more than too long, for half of a last character may go.
  return text.length > LONGEST_TEXT ? text.slice(0, LONGEST_TEXT + 2).replace(/[\uD800-\uDBFF]$/, '') : text
}

const BELONGS_IN_A_CARD =
  'is card data by its name: send cards only in the card fields, or rename this member'

function addMisplaced(reading: Reading, pointer: string, detail: string): void {
  addFault(reading, pointer, 'CARD_DATA_MISPLACED', detail)
}
