import type { Issuer } from '@cofre/platform/card/card-brand'
import { pointerTo } from '@cofre/platform/json'
import type { FieldError } from '@cofre/platform/errors'
import { shownCard, type Card, type ShownCard } from '../cards/card'
import {
  faultOfCardNumber,
  maskCardNumber,
  maskCardNumbersIn,
  type CardNumberFault,
} from '@cofre/platform/card/card-number'
import { Cvv } from '../cards/cvv'
import type { SealFault } from './encrypted-fields'
import { hasExpired, readExpiration } from './expiration'
import { gives, isJsonObject, type Json, type JsonObject } from './json'
import { Pan } from '../cards/pan'
import { HIDDEN } from '@cofre/platform/card/sensitive-names'
import { faultOfVoucherNumber } from './voucher-number'

/** The kind of cards that a body may name. */
export type CardKind = 'payment_card' | 'voucher'

/** A place in a body that names a card. An absent member has a fault; an absent CVV may also not have been given. */
export type FoundCard =
  | { pointer: string; source: 'card'; shown?: ShownCard; card?: Card; hasCvv: boolean }
  | { pointer: string; source: 'token' | 'voucher_token'; token?: string; cvv?: Cvv }

/**
 * The result of reading a body, as it grows. `now`: epoch milliseconds. `seals`: objects whose encryption has a fault.
 * `numbers`: the voucher numbers that the body gives, which are masked wherever else they stand.
 */
export type Reading = {
  now: number
  kind: CardKind
  issuedBy: (digits: string) => Issuer | undefined
  seals: ReadonlyMap<JsonObject, SealFault>
  /** The unknown names in an object's encrypted part. */
  unknown: ReadonlyMap<JsonObject, readonly string[]>
  numbers: ReadonlySet<string>
  found: FoundCard[]
  errors: FieldError[]
}

/** The members of an object that hold card data, each with the text that replaces it. */
export type Masked = { [member: string]: string }

type FaultCode =
  | CardNumberFault
  | SealFault
  | 'TYPE'
  | 'EXPIRED'
  | 'EXACTLY_ONE'
  | 'CARD_DATA_MISPLACED'
  | 'UNDECRYPTABLE'
  | 'UNKNOWN_FIELD'

const NUMBER_FAULTS: Record<CardNumberFault, string> = {
  FORMAT: 'must be digits only',
  LENGTH: 'has a length that its brand does not use',
  LUHN: 'is not a card number: the check digit does not match',
}
const VOUCHER_FAULTS = { ...NUMBER_FAULTS, LENGTH: 'must have 12 to 19 digits' }

/** Reads an object with a card's own number. The caller, which knows the body's shape, checks holder and expiration. */
export function readCard(whole: Reading, object: JsonObject, pointer: string): Masked {
  const reading = unlessSealedBadly(whole, object, pointerTo(pointer, 'encryptedCard'))
  const faultsBefore = reading.errors.length
  checkEncrypted(reading, object, pointer, 'encryptedCard', 'cardNumber')
  const number = readNumber(reading, object, pointer)
  const cvv = readCvv(reading, object, pointer)
  const read = readExpiration(object)
  if (read && hasExpired(read.expiration, reading.now)) {
    addFault(reading, pointerTo(pointer, read.member), 'EXPIRED', 'is in the past')
  }
  const found = { pointer, source: 'card' as const, hasCvv: cvv !== undefined }
  const masked = {
    cardNumber: number?.masked ?? maskGiven(object.cardNumber),
    cvv: HIDDEN,
    encryptedCard: HIDDEN,
  }
  const sealed = pointerTo(pointer, 'encryptedCard')
  if (!number) {
    reading.found.push(found)
    addUnknown(reading, object, sealed)
    return masked
  }
  const holderName = holderNameOf(reading, object, pointer)
  const card = { number, holderName, ...(cvv ? { cvv } : {}) }
  const shown = shownCard(card, reading.issuedBy(number.reveal()), read?.expiration)
  const sound = read && reading === whole && reading.errors.length === faultsBefore
  addUnknown(reading, object, sealed)
  reading.found.push(
    sound ? { ...found, shown, card: { ...card, expiration: read.expiration } } : { ...found, shown },
  )
  return masked
}

/** Reads the token of a kept card, stored or voucher, and the CVV for this one use, if any. */
export function readCardToken(whole: Reading, object: JsonObject, pointer: string): Masked {
  const reading = unlessSealedBadly(whole, object, pointerTo(pointer, 'encryptedCvv'))
  const faultsBefore = reading.errors.length
  checkEncrypted(reading, object, pointer, 'encryptedCvv', 'cvv')
  const { token } = object
  const at = pointerTo(pointer, 'token')
  if (typeof token !== 'string') addFault(reading, at, 'TYPE', 'must be a string')
  else if (!/^[0-9a-f]{64}$/.test(token)) addFault(reading, at, 'FORMAT', 'must be 64 hexadecimal digits')
  const cvv = readCvv(reading, object, pointer)
  const source = reading.kind === 'voucher' ? ('voucher_token' as const) : ('token' as const)
  const found = { pointer, source, ...(cvv ? { cvv } : {}) }
  const sound = typeof token === 'string' && reading === whole && reading.errors.length === faultsBefore
  addUnknown(reading, object, pointerTo(pointer, 'encryptedCvv'))
  reading.found.push(sound ? { ...found, token } : found)
  return { cvv: HIDDEN, encryptedCvv: HIDDEN }
}

/** Adds a fault at a place, in words that never hold the value. */
export function addFault({ errors }: Reading, pointer: string, code: FaultCode, detail: string): void {
  errors.push({ pointer, code, detail })
}

/** Adds a fault for each unknown name, hiding one that may be a value. A lenient caller may still use the card. */
function addUnknown(reading: Reading, object: JsonObject, pointer: string): void {
  for (const name of reading.unknown.get(object) ?? []) {
    const isName = /^[A-Za-z][A-Za-z_-]{0,39}$/.test(name)
    const at = isName ? pointerTo(pointer, name) : pointer
    addFault(reading, at, 'UNKNOWN_FIELD', isName ? NOT_KNOWN : `holds a member that ${NOT_KNOWN}`)
  }
}

const NOT_KNOWN = 'is not known in encrypted card data'

/** For an opened object with a faulty seal: adds that one fault, and returns a reading that drops all others. */
function unlessSealedBadly(reading: Reading, object: JsonObject, pointer: string): Reading {
  const fault = reading.seals.get(object)
  if (fault === undefined || fault === 'FORMAT') return reading
  addFault(reading, pointer, fault, SEAL_WORDS[fault])
  return { ...reading, errors: [] }
}

const SEAL_WORDS: Record<SealFault, string> = {
  STALE: 'was encrypted more than 15 minutes ago, or its iat lies ahead: encrypt the card again',
  REQUIRED: 'must carry iat, the time of its encryption in epoch seconds',
  OTHER_SELLER: 'was encrypted for another seller',
  OTHER_INVOICE: 'was encrypted for an invoice that this request does not pay',
  FORMAT: 'must hold the fields of a card as JSON',
  DUPLICATE: 'must hold no member twice',
}
/** Always the same words: which step failed is of use to an attacker alone. */
const NOT_OURS =
  'cannot be decrypted: send a compact JWE of alg RSA-OAEP-256 and enc A256GCM, without zip, made with the key of GET /api/v2/cards/encryption-key'

/** Adds a fault for an encrypted member that is still there: those that could be opened are gone already. */
function checkEncrypted(
  reading: Reading,
  object: JsonObject,
  pointer: string,
  member: string,
  open: string,
): void {
  if (!gives(object, member)) return
  const at = pointerTo(pointer, member)
  if (gives(object, open)) {
    addFault(reading, pointer, 'EXACTLY_ONE', `must have ${open} or ${member}, not both`)
  } else if (typeof object[member] !== 'string') {
    addFault(reading, at, 'TYPE', 'must be a compact JWE')
  } else if (reading.seals.get(object) === 'FORMAT') {
    addFault(reading, at, 'FORMAT', SEAL_WORDS.FORMAT)
  } else {
    addFault(reading, at, 'UNDECRYPTABLE', NOT_OURS)
  }
}

function readNumber(reading: Reading, object: JsonObject, pointer: string): Pan | undefined {
  if (!gives(object, 'cardNumber')) return undefined
  const { cardNumber } = object
  const at = pointerTo(pointer, 'cardNumber')
  if (typeof cardNumber !== 'string') {
    addFault(reading, at, 'TYPE', 'must be a string of digits')
    return undefined
  }
  const isVoucher = reading.kind === 'voucher'
  const code = isVoucher ? faultOfVoucherNumber(cardNumber) : faultOfCardNumber(cardNumber, reading.issuedBy)
  if (!code) return new Pan(cardNumber)
  addFault(reading, at, code, (isVoucher ? VOUCHER_FAULTS : NUMBER_FAULTS)[code])
  return undefined
}

function readCvv(reading: Reading, object: JsonObject, pointer: string): Cvv | undefined {
  if (!gives(object, 'cvv')) return undefined
  const { cvv } = object
  if (typeof cvv === 'string' && /^\d{3,4}$/.test(cvv)) return new Cvv(cvv)
  const code = typeof cvv === 'string' ? 'FORMAT' : 'TYPE'
  addFault(
    reading,
    pointerTo(pointer, 'cvv'),
    code,
    cvv === '' ? EMPTY_CVV : 'must be a string of 3 or 4 digits',
  )
  return undefined
}

const EMPTY_CVV = 'must not be empty; leave it out if you have none'

const LONGEST_NAME = 255

/** Returns the holder's name without card numbers. One that is too long is a fault, and not searched. */
function holderNameOf(reading: Reading, { holder }: JsonObject, pointer: string): string {
  if (!isJsonObject(holder) || typeof holder.name !== 'string') return ''
  if (holder.name.length <= LONGEST_NAME) return maskCardNumbersIn(holder.name, reading.numbers)
  const at = pointerTo(pointerTo(pointer, 'holder'), 'name')
  addFault(reading, at, 'LENGTH', `must have at most ${LONGEST_NAME} characters`)
  return ''
}

function maskGiven(cardNumber: Json | undefined): string {
  return typeof cardNumber === 'string' && /^\d{12,19}$/.test(cardNumber)
    ? maskCardNumber(cardNumber)
    : HIDDEN
}
