import { issuedRanges } from '@cofre/platform/card/card-brand'

type BrandRanges = { brand: string; ranges: readonly (readonly [number, number])[] }
export type Prefix = { prefix: string; brand: string }

const DIGITS = 8

/**
 * The brands by the first eight digits, in the order in which the page searches them: the operator's prefixes, the longest
 * first, and then the list of the program.
 */
export function brandRanges(prefixes: readonly Prefix[]): BrandRanges[] {
  const ordered = prefixes.toSorted((one, two) => two.prefix.length - one.prefix.length)
  const ofOperator = ordered.map(({ prefix, brand }) => ({ brand, ranges: [rangeOf(prefix, prefix)] }))
  const ofProgram = issuedRanges().map(({ brand, ranges }) => ({
    brand,
    ranges: ranges.map(([from, to]) => rangeOf(String(from), String(to))),
  }))
  return [...ofOperator, ...ofProgram]
}

function rangeOf(from: string, to: string): readonly [number, number] {
  return [Number(from.padEnd(DIGITS, '0')), Number(to.padEnd(DIGITS, '9'))]
}
