import { issuerOf, VOUCHER_LENGTH } from './card-brand'
import { piecesOf } from './digit-pieces'
import { digitRunsIn, type DigitRun, type LengthsAt } from './digit-runs'
import { mayHoldEscapes } from './escapes'
import { bitOf, IS_VOUCHER, lengthsByFirstDigits } from './first-digits'
import { knownNumbers, type KnownNumbers } from './known-numbers'
import { luhnAmong, type Digits } from './luhn'

/** A fault of a card number: a code of the API's field errors. */
export type CardNumberFault = 'FORMAT' | 'LENGTH' | 'LUHN'

// Digits in one piece, in groups of four, or as Amex and Diners print them. No letter or digit adjoins them.
const PRINTED =
  /(?<![A-Za-z0-9])(?:\d{12,19}|\d{4}(?:[ .-]\d{4}){3}|\d{4}[ .-]\d{6}[ .-]\d{4,5})(?![A-Za-z0-9])/g

/** The first fault of a value given as a card number; undefined when it has none. `issuedBy` knows who issues it. */
export function faultOfCardNumber(value: string, issuedBy = issuerOf): CardNumberFault | undefined {
  if (!/^\d+$/.test(value)) return 'FORMAT'
  if (value.length < 12 || value.length > 19) return 'LENGTH'
  if (issuedBy(value)?.lengths.includes(value.length) === false) return 'LENGTH'
  return passesLuhn(value) ? undefined : 'LUHN'
}

/**
 * True when digits that nobody called a card number look like one. They pass Luhn at a length of their brand or
 * network, or they are a voucher number, which has no check digit.
 */
export function looksLikeCardNumber(digits: string): boolean {
  const lengths = lengthsAmong(valuesOf(digits))(0)
  return digits.length <= 19 && (lengths & bitOf(digits.length)) !== 0
}

const valuesOf = (digits: string) => Uint8Array.from(digits, Number)

/** The refusal of a text that holds a card number where none belongs. */
export const LOOKS_LIKE_CARD =
  'looks like a card number: send cards only in the card fields, or write this value differently'

/** No field of the API takes a longer text: it is refused for its length, or ignored, and need not be searched. */
export const LONGEST_TEXT = 2_048

/** First six and last four digits, the rest as stars. */
export function maskCardNumber(digits: string): string {
  return `${digits.slice(0, 6)}${'*'.repeat(digits.length - 10)}${digits.slice(-4)}`
}

/**
 * Masks every card number in a text, however its digits are written, and the data of a magnetic stripe (ISO/IEC 7813).
 * Numbers of `known` are masked too, even when they do not look like card numbers.
 */
export function maskCardNumbersIn(text: string, known: ReadonlySet<string> = NOTHING_KNOWN): string {
  const parts: string[] = []
  let at = 0
  for (const { digits, start, end } of apart(cardRunsIn(text, knownNumbers(known)))) {
    parts.push(text.slice(at, start), maskCardNumber(digits.join('')))
    at = end
  }
  let masked = [...parts, text.slice(at)].join('')
  for (const number of known) masked = masked.replaceAll(number, maskCardNumber(number))
  return masked
}

const NOTHING_KNOWN: ReadonlySet<string> = new Set()

/** True when a text holds a card number. For texts where none belongs: a header, a reference, a reason. */
export function holdsCardNumber(text: string): boolean {
  return cardRunsIn(text, undefined, 1).length > 0
}

/** The card numbers in a text as it stands, and as it reads once what is written out (`%34`) is decoded. */
function cardRunsIn(text: string, known?: KnownNumbers, most = Infinity): DigitRun[] {
  const digits = mostDigitsOf(text)
  // Stryker disable next-line ConditionalExpression: the search finds nothing either way, but takes more steps
  if (digits < SHORTEST) return []
  const runsIn = (isDecoded: boolean) => {
    const pieces = piecesOf(text, digits, isDecoded)
    const lengthsAt = lengthsAmong(pieces.digits)
    const knownAt = known && ((first: number) => known(pieces.digits, first))
    return digitRunsIn(pieces, { lengthsAt, knownAt }, most)
  }
  const runs = runsIn(false)
  return mayHoldEscapes(text) ? [...runs, ...runsIn(true)] : runs
}

const SHORTEST = 12

/** At least as many digits as a text has. One sign beyond ASCII may stand for three of them, as `⅒` does. */
function mostDigitsOf(text: string): number {
  let digits = 0
  // Stryker disable next-line EqualityOperator: behind the text stands nothing that counts
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // Stryker disable next-line ConditionalExpression,EqualityOperator,LogicalOperator: a higher number only costs memory
    digits += code >= 128 ? 3 : code >= 48 && code <= 57 ? 1 : 0
  }
  return digits
}

/** Returns the lengths of the card numbers that begin at a digit, as bits. Most digits cost one look at a table. */
function lengthsAmong(digits: Digits): LengthsAt {
  const byFirstDigits = lengthsByFirstDigits()
  let passes: ReturnType<typeof luhnAmong> | undefined
  return (first) => {
    let firstSix = 0
    for (let nth = 0; nth < 6; nth++) firstSix = firstSix * 10 + (digits[first + nth] ?? 0)
    const issued = byFirstDigits[firstSix] ?? 0
    let lengths = 0
    // Stryker disable next-line ConditionalExpression: no length is found either way, but it takes more steps
    if (issued === 0) return lengths
    passes ??= luhnAmong(digits)
    if ((issued & IS_VOUCHER) !== 0) lengths |= bitOf(VOUCHER_LENGTH)
    for (let length = SHORTEST + 1; length <= 19; length++)
      if ((issued & bitOf(length)) !== 0 && passes(first, first + length)) lengths |= bitOf(length)
    return lengths
  }
}

/** Keeps one of the runs that overlap: the first one, and the longest of those with one start. */
function apart(runs: readonly DigitRun[]): DigitRun[] {
  const ordered = runs.toSorted((one, other) => one.start - other.start || other.end - one.end)
  const kept: DigitRun[] = []
  for (const run of ordered) if (run.start >= (kept.at(-1)?.end ?? 0)) kept.push(run)
  return kept
}

/** Masks every number that is printed as a card number, in a text about vouchers: they have no check digit to test. */
export function maskVoucherNumbersIn(text: string): string {
  return text.replace(PRINTED, (printed) => maskCardNumber(printed.replace(/\D/g, '')))
}

function passesLuhn(digits: string): boolean {
  return luhnAmong(valuesOf(digits))(0, digits.length)
}
