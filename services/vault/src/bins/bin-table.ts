import { issuerOf, lengthsOf, type Brand, type Issuer } from '@cofre/platform/card/card-brand'
import type { ShownCard } from '../cards/card'

/** A row of the operator: the brand of all numbers that begin with 2 to 8 digits. */
export type Bin = { prefix: string; brand: Brand }

/** The brands of first digits: the operator's rows, and behind them the list of the program. */
export type BinTable = ReadonlyMap<string, Brand>

export const SHORTEST_PREFIX = 2
export const LONGEST_PREFIX = 8
/** A card's readable part, `bin`, has so many digits. */
const READABLE = 6

export const NO_ROWS: BinTable = new Map()

export function binTable(rows: readonly Bin[]): BinTable {
  return new Map(rows.map(({ prefix, brand }) => [prefix, brand]))
}

/** The brand of a number. A row wins over the list of the program, and a longer row over a shorter one. */
export function issuerIn(table: BinTable, digits: string): Issuer | undefined {
  for (let length = LONGEST_PREFIX; length >= SHORTEST_PREFIX; length--) {
    const brand = table.get(digits.slice(0, length))
    if (brand) return { brand, lengths: lengthsOf(brand), isGuess: false }
  }
  return issuerOf(digits)
}

/**
 * A stored card with the brand that the table now gives its six readable digits. It keeps the brand that it was stored
 * with where a row has more digits than that, or where none knows them any longer.
 */
export function withCurrentBrand<Card extends ShownCard>(table: BinTable, card: Card): Card {
  const issuer = issuerIn(table, card.bin)
  const isSplit = [...table.keys()].some((prefix) => prefix.length > READABLE && prefix.startsWith(card.bin))
  const brand = isSplit || !issuer ? card.brand : issuer.brand
  const isGuess = issuer?.isGuess === true && issuer.brand === brand
  return { ...card, brand, ...(isGuess ? { brandIsGuess: true } : {}) }
}
