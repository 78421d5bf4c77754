import { FOREIGN_LENGTHS, FOREIGN_PREFIXES, issuedLengths, VOUCHER_PREFIXES } from './card-brand'

/** The bit of a length from 12 to 19. */
export const bitOf = (length: number) => 1 << (length - 12)
/** No card number has 12 digits, so this bit marks a voucher's first digits. */
export const IS_VOUCHER = bitOf(12)

let table: Uint8Array | undefined

/**
 * For each first six digits of a number, the lengths of the cards that begin so, as bits, and IS_VOUCHER where a
 * voucher does. Nearly all digits of a text end here, at the cost of one look.
 */
export function lengthsByFirstDigits(): Uint8Array {
  return (table ??= createTable())
}

function createTable(): Uint8Array {
  const lengths = new Uint8Array(1_000_000)
  const fill = (from: number, to: number, bits: number) => lengths.fill(bits, from, to + 1)
  for (const prefix of FOREIGN_PREFIXES) {
    const [from, to] = sixesOf(prefix)
    fill(from, to, bitsOf(FOREIGN_LENGTHS))
  }
  // The first brand that has a range counts, so it is written last.
  for (const brand of issuedLengths().toReversed())
    for (const [from, to] of brand.ranges) fill(from, to, bitsOf(brand.lengths))
  for (const prefix of VOUCHER_PREFIXES) {
    const [from, to] = sixesOf(prefix)
    for (let six = from; six <= to; six++) lengths[six] = (lengths[six] ?? 0) | IS_VOUCHER
  }
  return lengths
}

/** The first six digits of the numbers with a prefix. */
const sixesOf = (prefix: string) => [Number(prefix.padEnd(6, '0')), Number(prefix.padEnd(6, '9'))] as const

function bitsOf(lengths: readonly number[]): number {
  return lengths.reduce((bits, length) => bits | bitOf(length), 0)
}
