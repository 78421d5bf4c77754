import { issuerOf, isForeignNetwork, isVoucherNumber, VOUCHER_LENGTH } from './card-brand'
import { asRead, digitRunsIn, type DigitRun, type IsWanted } from './digit-runs'

/** A fault of a card number: a code of the API's field errors. */
export type CardNumberFault = 'FORMAT' | 'LENGTH' | 'LUHN'

// Digits in one piece, in groups of four, or as Amex and Diners print them. No letter or digit adjoins them.
const PRINTED =
  /(?<![A-Za-z0-9])(?:\d{12,19}|\d{4}(?:[ .-]\d{4}){3}|\d{4}[ .-]\d{6}[ .-]\d{4,5})(?![A-Za-z0-9])/g

/** The first fault of a value given as a card number; undefined when it has none. */
export function faultOfCardNumber(value: string): CardNumberFault | undefined {
  if (!/^\d+$/.test(value)) return 'FORMAT'
  if (value.length < 12 || value.length > 19) return 'LENGTH'
  if (issuerOf(value)?.lengths.includes(value.length) === false) return 'LENGTH'
  return passesLuhn(value) ? undefined : 'LUHN'
}

/**
 * True when digits that nobody called a card number look like one. They pass Luhn at a length of their brand or
 * network, or they are a voucher number, which has no check digit.
 */
export function looksLikeCardNumber(digits: string): boolean {
  if (isVoucherNumber(digits)) return true
  if (!passesLuhn(digits)) return false
  return issuerOf(digits)?.lengths.includes(digits.length) ?? isForeignNetwork(digits)
}

/** First six and last four digits, the rest as stars. */
export function maskCardNumber(digits: string): string {
  return `${digits.slice(0, 6)}${'*'.repeat(digits.length - 10)}${digits.slice(-4)}`
}

const NOTHING_KNOWN: ReadonlySet<string> = new Set()

/**
 * Masks every card number in a text, however its digits are written and grouped, and the data of a magnetic stripe
 * (ISO/IEC 7813). Numbers of `known` are masked too, even when they do not look like card numbers.
 */
export function maskCardNumbersIn(text: string, known = NOTHING_KNOWN): string {
  const read = asRead(text)
  let masked = TWELVE_DIGITS.test(read) ? maskRunsIn(maskTracksIn(read), known) : read
  for (const number of known) masked = masked.replaceAll(number, maskCardNumber(number))
  return masked === read ? text : masked
}

/** A quick check of every text: only a text that matches is searched further. */
const TWELVE_DIGITS = /\d(?:[^\p{L}\p{Nd}]{0,3}\d){11}/u

const TRACKS = /%?B(\d{12,19})\^|;?(?<!\d)(\d{12,19})=(?=\d{4})/g

function maskTracksIn(text: string): string {
  return text.replace(TRACKS, (track: string, first?: string, second?: string) => {
    const digits = first ?? second ?? ''
    return track.replace(digits, maskCardNumber(digits))
  })
}

function maskRunsIn(text: string, known: ReadonlySet<string>): string {
  const found = digitRunsIn(text, (digits) => wantedAmong(digits, known))
  if (found.length === 0) return text
  const parts: string[] = []
  let at = 0
  for (const { digits, start, end } of apart(found)) {
    parts.push(text.slice(at, start), maskCardNumber(digits))
    at = end
  }
  return [...parts, text.slice(at)].join('')
}

/** Runs for thousands of places in one text. Most of them cost only the few additions of the Luhn check. */
function wantedAmong(all: string, known: ReadonlySet<string>): IsWanted {
  const passes = luhnAmong(all)
  return (from, to) => {
    if (passes(from, to) && looksLikeCardNumber(all.slice(from, to))) return true
    if (to - from === VOUCHER_LENGTH && isVoucherNumber(all.slice(from, to))) return true
    return known.size > 0 && known.has(all.slice(from, to))
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

/** True when a text holds a card number. For texts where none belongs: a header, a reference, a reason. */
export function holdsCardNumber(text: string): boolean {
  return maskCardNumbersIn(text) !== text
}

const ZERO = 48
const doubled = (digit: number) => (digit > 4 ? 2 * digit - 9 : 2 * digit)

/** The Luhn check of ISO/IEC 7812-1, annex B. */
function passesLuhn(digits: string): boolean {
  return luhnAmong(digits)(0, digits.length)
}

/** Returns a Luhn check of any part of the digits. Running sums make each check cost a few additions. */
function luhnAmong(all: string): (from: number, to: number) => boolean {
  // Sums of the digits before each place: once with the digits at even places doubled, once with those at odd places.
  const sums = [new Int32Array(all.length + 1), new Int32Array(all.length + 1)] as const
  for (let i = 0; i < all.length; i++) {
    const digit = all.charCodeAt(i) - ZERO
    const [even, odd] = i % 2 === 0 ? [doubled(digit), digit] : [digit, doubled(digit)]
    sums[0][i + 1] = (sums[0][i] ?? 0) + even
    sums[1][i + 1] = (sums[1][i] ?? 0) + odd
  }
  // The last digit is not doubled, the one before it is.
  return (from, to) => {
    const sum = to % 2 === 0 ? sums[0] : sums[1]
    return ((sum[to] ?? 0) - (sum[from] ?? 0)) % 10 === 0
  }
}
