import { drawn } from '@cofre/testing/random'

export type Canary = { number: string; cvv: string; document: string }
export type Brand = 'VISA' | 'MASTERCARD' | 'ELO' | 'AMEX'
/** The prefix of a voucher's number, which has no check digit. */
const VOUCHER_PREFIX = '637036'

const PREFIXES: Record<Brand, [prefix: string, length: number]> = {
  VISA: ['4', 16],
  MASTERCARD: ['53', 16],
  ELO: ['636297', 16],
  AMEX: ['37', 15],
}
const random = drawn('canaries')
export const BRANDS = Object.keys(PREFIXES) as Brand[]

/**
 * Card data that occurs nowhere else: wherever it turns up, a card leaked. The number's last digit decides the outcome
 * at the sandbox. A CVV is four digits that begin with 0, unlike a count, time, port or end of a number.
 */
export class Canaries {
  readonly all: Canary[] = []

  next(brand: Brand = BRANDS[this.all.length % BRANDS.length] ?? 'VISA', lastDigit = 1): Canary {
    const canary = {
      number: numberOf(brand, lastDigit),
      cvv: `0${randomDigits(3)}`,
      document: documentOf(randomDigits(9)),
    }
    this.all.push(canary)
    return canary
  }

  /** A voucher, whose number has no check digit that sets it apart from other digits. */
  nextVoucher(lastDigit = 1): Canary {
    const canary = {
      number: `${VOUCHER_PREFIX}${randomDigits(6)}1${randomDigits(2)}${lastDigit}`,
      cvv: `0${randomDigits(3)}`,
      document: documentOf(randomDigits(9)),
    }
    this.all.push(canary)
    return canary
  }
}

function numberOf(brand: Brand, lastDigit: number): string {
  const [prefix, length] = PREFIXES[brand]
  for (;;) {
    const number = `${prefix}${randomDigits(length - prefix.length - 1)}${lastDigit}`
    if (passesLuhn(number) && number.at(-4) !== '0' && !isElo(number, brand)) return number
  }
}

/** Elo has ranges inside Visa's. */
function isElo(number: string, brand: Brand): boolean {
  return brand === 'VISA' && /^4(01178|01179|31274|38935|51416|57393|5763[12])/.test(number)
}

function randomDigits(count: number): string {
  return Array.from({ length: count }, () => random.int(0, 9)).join('')
}

function passesLuhn(number: string): boolean {
  const digits = Array.from(number, Number).reverse()
  const sum = digits.reduce((total, digit, at) => {
    const doubled = digit * (at % 2 === 1 ? 2 : 1)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

/** A CPF with its check digits. */
function documentOf(body: string): string {
  const digitAfter = (digits: string) => {
    const sum = Array.from(digits, Number).reduce(
      (total, digit, at) => total + digit * (digits.length + 1 - at),
      0,
    )
    return sum % 11 < 2 ? 0 : 11 - (sum % 11)
  }
  const first = `${body}${digitAfter(body)}`
  return `${first}${digitAfter(first)}`
}

const SEPARATORS = [' ', '  ', '   ', ' - ', '-', '.', '/', '\\', '_', '|', '*', '+', '~', '\t', '\n', '\r\n']
const SEPARATORS_OF_ANY_SCRIPT = [
  '·',
  '•',
  '‧',
  '\u2212',
  '\u2013',
  '\u2014',
  '\u2011',
  '\u00a0',
  '\u2009',
  '\u3000',
]
const UNSEEN = ['\u200b', '\u200c', '\u200e', '\u2060', '\u00ad', '\ufeff', '\ufe0f', '\u034f']

const inFours = (number: string, separator: string) => (number.match(/.{4}/g) ?? []).join(separator)
const betweenDigits = (number: string, separator: string) => number.replaceAll(/(?<=\d)(?=\d)/g, separator)
/** A number in the digits of another script. `zero`: the code point of its zero. */
const inScript = (number: string, zero: number) =>
  number.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))

/** Ways in which people and programs write the sixteen digits of a misplaced card number. */
export const SPELLINGS: readonly ((number: string) => string)[] = [
  ...[...SEPARATORS, ...SEPARATORS_OF_ANY_SCRIPT, ...UNSEEN].map(
    (separator) => (number: string) => inFours(number, separator),
  ),
  (number) => `${number.slice(0, 8)} ${number.slice(8)}`,
  (number) => betweenDigits(number, ' '),
  (number) => betweenDigits(number, '\u200b'),
  (number) => `PAN${number}`,
  (number) => `${number}.00`,
  (number) => `${number}1231`,
  (number) => inScript(number, 0xff10),
  (number) => inScript(number, 0x0660),
  (number) => inScript(number, 0x0966),
  (number) => `%B${number}^SOUZA/ANA^3012101?`,
  (number) => `;${number}=30121010000000?`,
]
