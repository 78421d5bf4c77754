import { issuerOf, isVoucherNumber } from './card-brand'

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
  return passesLuhn(digits) && issuerOf(digits)?.lengths.includes(digits.length) === true
}

/** First six and last four digits, the rest as stars. */
export function maskCardNumber(digits: string): string {
  return `${digits.slice(0, 6)}${'*'.repeat(digits.length - 10)}${digits.slice(-4)}`
}

/** A text with every card number in it masked: those that look like one, and `known`, which need not. */
export function maskCardNumbersIn(text: string, known?: string): string {
  const masked = text.replace(PRINTED, (printed) => {
    const digits = printed.replace(/\D/g, '')
    return digits === known || looksLikeCardNumber(digits) ? maskCardNumber(digits) : printed
  })
  return known === undefined ? masked : masked.replaceAll(known, maskCardNumber(known))
}

/** The same for a text about vouchers, whose numbers have no check digit: all that is printed as a card number is masked. */
export function maskVoucherNumbersIn(text: string): string {
  return text.replace(PRINTED, (printed) => maskCardNumber(printed.replace(/\D/g, '')))
}

/** Whether a text has a card number in it, wherever none belongs: in a header, a reference, a reason. */
export function holdsCardNumber(text: string): boolean {
  return maskCardNumbersIn(text) !== text
}

/** ISO/IEC 7812-1, annex B. */
function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const weighted = Number(digits[i]) * ((digits.length - i) % 2 === 0 ? 2 : 1)
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return sum % 10 === 0
}
