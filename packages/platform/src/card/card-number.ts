import { issuerOf, isForeignNetwork, isVoucherNumber, VOUCHER_LENGTH } from './card-brand'
import { asRead, digitRunsIn, type DigitRun, type IsWanted } from './digit-runs'

/** What may be wrong with a number: a code of the API's field errors. */
export type CardNumberFault = 'FORMAT' | 'LENGTH' | 'LUHN'

// Digits in one piece, in fours, or as Amex and Diners print them, with nothing but punctuation around.
const PRINTED =
  /(?<![A-Za-z0-9])(?:\d{12,19}|\d{4}(?:[ .-]\d{4}){3}|\d{4}[ .-]\d{6}[ .-]\d{4,5})(?![A-Za-z0-9])/g

/** The first fault of what was given as a card number; undefined when there is none. */
export function faultOfCardNumber(value: string): CardNumberFault | undefined {
  if (!/^\d+$/.test(value)) return 'FORMAT'
  if (value.length < 12 || value.length > 19) return 'LENGTH'
  if (issuerOf(value)?.lengths.includes(value.length) === false) return 'LENGTH'
  return passesLuhn(value) ? undefined : 'LUHN'
}

/**
 * Whether digits that nobody called a card number are one: Luhn holds, for a known brand, at that brand's length; or they
 * are a voucher's, which has no check digit.
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
 * A text with every card number in it masked: those that look like one, however their digits are written and grouped, what a
 * magnetic stripe holds (ISO/IEC 7813), and those of `known`, which need not look like one.
 */
export function maskCardNumbersIn(text: string, known = NOTHING_KNOWN): string {
  const read = asRead(text)
  let masked = TWELVE_DIGITS.test(read) ? maskRunsIn(maskTracksIn(read), known) : read
  for (const number of known) masked = masked.replaceAll(number, maskCardNumber(number))
  return masked === read ? text : masked
}

/** Asked of every text that passes, so that few are read further. */
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

/** Asked of thousands of places in one text: what is neither known, a voucher's nor passes Luhn costs a few additions. */
function wantedAmong(all: string, known: ReadonlySet<string>): IsWanted {
  const passes = luhnAmong(all)
  return (from, to) => {
    if (passes(from, to) && looksLikeCardNumber(all.slice(from, to))) return true
    if (to - from === VOUCHER_LENGTH && isVoucherNumber(all.slice(from, to))) return true
    return known.size > 0 && known.has(all.slice(from, to))
  }
}

/** Of runs that overlap, the longest at the first place. */
function apart(runs: readonly DigitRun[]): DigitRun[] {
  const ordered = runs.toSorted((one, other) => one.start - other.start || other.end - one.end)
  const kept: DigitRun[] = []
  for (const run of ordered) if (run.start >= (kept.at(-1)?.end ?? 0)) kept.push(run)
  return kept
}

/** The same for a text about vouchers, whose numbers have no check digit: all that is printed as a card number is masked. */
export function maskVoucherNumbersIn(text: string): string {
  return text.replace(PRINTED, (printed) => maskCardNumber(printed.replace(/\D/g, '')))
}

/** Whether a text has a card number in it, wherever none belongs: in a header, a reference, a reason. */
export function holdsCardNumber(text: string): boolean {
  return maskCardNumbersIn(text) !== text
}

const ZERO = 48
const doubled = (digit: number) => (digit > 4 ? 2 * digit - 9 : 2 * digit)

/** ISO/IEC 7812-1, annex B. */
function passesLuhn(digits: string): boolean {
  return luhnAmong(digits)(0, digits.length)
}

/** Whether the digits from one place to another pass Luhn: sums of all digits before each place tell it of any two. */
function luhnAmong(all: string): (from: number, to: number) => boolean {
  // What the digits before a place sum up to where those at even places are doubled, and where those at odd ones are.
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
