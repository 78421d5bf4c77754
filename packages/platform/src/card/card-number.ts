import { issuerOf, isForeignNetwork, isVoucherNumber } from './card-brand'
import { digitRunsIn, type DigitRun } from './digit-runs'

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

/**
 * A text with every card number in it masked: those that look like one, however their digits are written and grouped, what a
 * magnetic stripe holds (ISO/IEC 7813), and `known`, which need not look like one.
 */
export function maskCardNumbersIn(text: string, known?: string): string {
  const masked = mayHoldCardNumber(text) ? maskRunsIn(maskTracksIn(text), known) : text
  return known === undefined ? masked : masked.replaceAll(known, maskCardNumber(known))
}

const TWELVE_DIGITS = /\d(?:[\s./\\_|-]{0,2}\d){11}/
const TWELVE_DIGITS_OF_ANY_SCRIPT = /\p{Nd}(?:[^\p{L}\p{Nd}]{0,2}\p{Nd}){11}/u

/** Asked of every text that passes, so that few are read further. */
function mayHoldCardNumber(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- what is not ASCII
  return /[^\x00-\x7f]/.test(text) ? TWELVE_DIGITS_OF_ANY_SCRIPT.test(text) : TWELVE_DIGITS.test(text)
}

const TRACKS = /%?B(\d{12,19})\^|;?(?<!\d)(\d{12,19})=(?=\d{4})/g

function maskTracksIn(text: string): string {
  return text.replace(TRACKS, (track: string, first?: string, second?: string) => {
    const digits = first ?? second ?? ''
    return track.replace(digits, maskCardNumber(digits))
  })
}

function maskRunsIn(text: string, known: string | undefined): string {
  const isWanted = (digits: string) => digits === known || looksLikeCardNumber(digits)
  const { text: read, runs: found } = digitRunsIn(text, isWanted)
  if (found.length === 0) return text
  const parts: string[] = []
  let at = 0
  for (const { digits, start, end } of apart(found)) {
    parts.push(read.slice(at, start), maskCardNumber(digits))
    at = end
  }
  return [...parts, read.slice(at)].join('')
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

/** ISO/IEC 7812-1, annex B. Asked of many digits that are no card's: cheap. */
function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const weighted = (digits.charCodeAt(i) - ZERO) * ((digits.length - i) % 2 === 0 ? 2 : 1)
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return sum % 10 === 0
}
