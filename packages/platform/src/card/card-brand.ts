export type Brand = 'VISA' | 'MASTERCARD' | 'AMEX' | 'ELO' | 'HIPERCARD' | 'DINERS' | 'DISCOVER' | 'JCB'

/** A range of the first six digits, both ends included. */
type Range = readonly [number, number]

type Issued = { brand: Brand; lengths: readonly number[]; ranges: readonly Range[]; isGuess?: true }

/** The brands of the contract. An operator's row names one of them. */
export const BRANDS = [
  'VISA',
  'MASTERCARD',
  'AMEX',
  'ELO',
  'HIPERCARD',
  'DINERS',
  'DISCOVER',
  'JCB',
] as const satisfies readonly Brand[]

/** The brands as their cards spell them. */
export const BRAND_NAMES: Readonly<Record<string, string>> = {
  VISA: 'Visa',
  MASTERCARD: 'Mastercard',
  AMEX: 'Amex',
  ELO: 'Elo',
  HIPERCARD: 'Hipercard',
  DINERS: 'Diners',
  DISCOVER: 'Discover',
  JCB: 'JCB',
}

/**
 * Issuer ranges by the first six digits. The order matters: Elo and Hipercard were given ranges inside those of Visa,
 * Discover, Diners and the Maestro numbers, so they come first. Elo publishes no list. Sources of its ranges:
 * braintree/credit-card-type 10.3.0 and its pull request 206; ContaAzul/creditcard.js, pull request 148 (all of 6509);
 * the BIN query of Cielo (636369, Elo Mais). An operator adds what is missing: `cofrectl bin put`.
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
      [636368, 636369],
      [650031, 650033],
      [650035, 650051],
      [650057, 650081],
      [650405, 650439],
      // Published as 650485-650538 and 650541-650598; the acquirer's 3-D Secure test cards use 6505xx throughout.
      [650485, 650599],
      [650700, 650718],
      [650720, 650727],
      [650900, 650999],
      [651652, 651704],
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
      [644000, 649999],
    ],
  },
  { brand: 'JCB', lengths: [16, 19], ranges: [[352800, 358999]] },
  // The blocks of four digits in which Elo has ranges. Discover owns 65 in all other countries.
  {
    brand: 'ELO',
    lengths: [16, 19],
    isGuess: true,
    ranges: [
      [650000, 650099],
      [650400, 650599],
      [650700, 650799],
      [651600, 651799],
      [655000, 655099],
    ],
  },
  // Discover processes 622126-622925 for UnionPay.
  {
    brand: 'DISCOVER',
    lengths: [16, 19],
    isGuess: true,
    ranges: [
      [622126, 622925],
      [650000, 659999],
    ],
  },
]

/**
 * First digits of meal and food vouchers: Alelo (inside ranges of Elo), VR, Pluxee and Ticket. Their numbers have 16
 * digits. They share no check digit.
 */
export const VOUCHER_PREFIXES =
  '5067 5090 637036 637037 627416 636350 603389 606068 606069 606070 606071 600818 308513 602651 603340 603342'.split(
    ' ',
  )
export const VOUCHER_LENGTH = 16

/** The first six digits of each brand and the lengths of its numbers, in the order in which to search them. */
export function issuedLengths(): readonly Pick<Issued, 'lengths' | 'ranges'>[] {
  return ISSUED
}

/** First digits of Maestro and UnionPay (ISO/IEC 7812): card numbers of brands that we do not take. */
export const FOREIGN_PREFIXES = ['50', '56', '57', '58', '6', '81']
export const FOREIGN_LENGTHS = [16, 17, 18, 19]

/** `isGuess`: other brands may have issued the number too. No rule of a brand may refuse a payment on a guess. */
export type Issuer = { brand: Brand; lengths: readonly number[]; isGuess: boolean }

/** The brand that issued a number, and the lengths of its numbers. Undefined when none of our brands issued it. */
export function issuerOf(digits: string): Issuer | undefined {
  const prefix = Number(digits.slice(0, 6))
  const found = ISSUED.find(({ ranges }) => ranges.some(([from, to]) => prefix >= from && prefix <= to))
  return found && { brand: found.brand, lengths: found.lengths, isGuess: found.isGuess ?? false }
}

/** The lengths of a brand's numbers. */
export function lengthsOf(brand: Brand): readonly number[] {
  return ISSUED.filter((issued) => issued.brand === brand && !issued.isGuess).flatMap(
    ({ lengths }) => lengths,
  )
}

/** The brands by first digits, in the order in which to search them, without guesses: for pages that show a brand. */
export function issuedRanges(): readonly Pick<Issued, 'brand' | 'ranges'>[] {
  return ISSUED.filter(({ isGuess }) => !isGuess).map(({ brand, ranges }) => ({ brand, ranges }))
}
