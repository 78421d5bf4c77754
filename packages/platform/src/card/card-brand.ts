export type Brand = 'VISA' | 'MASTERCARD' | 'AMEX' | 'ELO' | 'HIPERCARD' | 'DINERS' | 'DISCOVER' | 'JCB'

type Issued = { brand: Brand; lengths: readonly number[]; ranges: readonly (readonly [number, number])[] }

/**
 * Issuer ranges by the first six digits. The order matters: Elo and Hipercard were given ranges inside those of Visa,
 * Discover, Diners and the Maestro numbers, so they come first.
 */
const ISSUED: readonly Issued[] = [
  {
    brand: 'ELO',
    lengths: [16],
    ranges: [
      [401178, 401179],
      [431274, 431274],
      [438935, 438935],
      [451416, 451416],
      [457393, 457393],
      [457631, 457632],
      [504175, 504175],
      [506699, 506778],
      [509000, 509999],
      [627780, 627780],
      [636297, 636297],
      [636368, 636368],
      [650031, 650033],
      [650035, 650051],
      [650405, 650439],
      // Published as 650485-650538 and 650541-650598; the acquirer's 3-D Secure test cards use 6505xx throughout.
      [650485, 650599],
      [650700, 650718],
      [650720, 650727],
      [650901, 650978],
      [651652, 651679],
      [655000, 655019],
      [655021, 655058],
    ],
  },
  {
    brand: 'HIPERCARD',
    lengths: [13, 16, 19],
    ranges: [
      [606282, 606282],
      [384100, 384100],
      [384140, 384140],
      [384160, 384160],
    ],
  },
  { brand: 'VISA', lengths: [13, 16, 19], ranges: [[400000, 499999]] },
  {
    brand: 'MASTERCARD',
    lengths: [16],
    ranges: [
      [510000, 559999],
      [222100, 272099],
    ],
  },
  {
    brand: 'AMEX',
    lengths: [15],
    ranges: [
      [340000, 349999],
      [370000, 379999],
    ],
  },
  {
    brand: 'DINERS',
    lengths: [14, 16],
    ranges: [
      [300000, 305999],
      [309500, 309599],
      [360000, 369999],
      [380000, 399999],
    ],
  },
  {
    brand: 'DISCOVER',
    lengths: [16, 19],
    ranges: [
      [601100, 601199],
      [622126, 622925],
      [644000, 659999],
    ],
  },
  { brand: 'JCB', lengths: [16, 19], ranges: [[352800, 358999]] },
]

/**
 * First digits of meal and food vouchers: Alelo (inside ranges of Elo), VR, Pluxee and Ticket. Their numbers have 16
 * digits. They share no check digit.
 */
const VOUCHERS =
  /^(?:5067|5090|637036|637037|627416|636350|603389|60606[89]|60607[01]|600818|308513|602651|603340|603342)\d+$/
export const VOUCHER_LENGTH = 16

/** True when digits are a voucher number. Only its first digits and its length show that. */
export function isVoucherNumber(digits: string): boolean {
  return digits.length === VOUCHER_LENGTH && VOUCHERS.test(digits)
}

/** True for a number in a range of Maestro or UnionPay (ISO/IEC 7812): a card number of a brand that we do not take. */
export function isForeignNetwork(digits: string): boolean {
  return /^(?:50|5[6-8]|6[0-9]|81)\d{14,17}$/.test(digits)
}

/** The brand that issued a number, and the lengths of its numbers. Undefined when none of our brands issued it. */
export function issuerOf(digits: string): { brand: Brand; lengths: readonly number[] } | undefined {
  const prefix = Number(digits.slice(0, 6))
  return ISSUED.find(({ ranges }) => ranges.some(([from, to]) => prefix >= from && prefix <= to))
}

/** The first six digits of each brand, in the order in which to search them. For pages that show the brand. */
export function issuedRanges(): readonly Pick<Issued, 'brand' | 'ranges'>[] {
  return ISSUED.map(({ brand, ranges }) => ({ brand, ranges }))
}
