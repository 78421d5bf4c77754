import * as fc from 'fast-check'
import { FOREIGN_LENGTHS, FOREIGN_PREFIXES, issuerOf, VOUCHER_PREFIXES } from '../../src/card/card-brand'
import { looksLikeCardNumber } from '../../src/card/card-number'
import { bitOf, IS_VOUCHER, lengthsByFirstDigits } from '../../src/card/first-digits'

const LENGTHS = [13, 14, 15, 16, 17, 18, 19]

/** The lengths that the lists of brands and networks give, asked one by one. */
function lengthsOf(six: string): readonly number[] {
  const isForeign = FOREIGN_PREFIXES.some((prefix) => six.startsWith(prefix))
  return issuerOf(six)?.lengths ?? (isForeign ? FOREIGN_LENGTHS : [])
}

test('the table says of all first digits what the lists say', () => {
  const table = lengthsByFirstDigits()
  const sixes = fc.oneof(
    fc.nat(999_999),
    fc.constantFrom(222_099, 222_100, 272_099, 272_100, 384_100, 506_731, 603_389, 999_999),
  )
  fc.assert(
    fc.property(sixes, (number) => {
      const six = String(number).padStart(6, '0')
      const bits = table[number] ?? 0
      expect(LENGTHS.filter((length) => (bits & bitOf(length)) !== 0)).toEqual(lengthsOf(six))
      expect((bits & IS_VOUCHER) !== 0).toBe(VOUCHER_PREFIXES.some((prefix) => six.startsWith(prefix)))
    }),
    { numRuns: 5_000 },
  )
})

test.each(['50', '56', '58', '60', '69', '81'])(
  'a number of 16 to 19 digits that begins with %s may be of Maestro or UnionPay',
  (prefix) => {
    const lengths = lengthsByFirstDigits()[Number(`${prefix}0001`)] ?? 0
    expect(LENGTHS.filter((length) => (lengths & bitOf(length)) !== 0)).toEqual([16, 17, 18, 19])
  },
)

test('a number looks like a card’s at its own lengths only', () => {
  expect(looksLikeCardNumber('378282246310005')).toBe(true)
  expect(looksLikeCardNumber('30569309025904')).toBe(true)
  expect(looksLikeCardNumber('4222222222222')).toBe(true)
  expect(looksLikeCardNumber('411111111111111112')).toBe(false)
  expect(looksLikeCardNumber('675964982648')).toBe(false)
  expect(looksLikeCardNumber('637036123452')).toBe(false)
  expect(looksLikeCardNumber('6370361234567803')).toBe(true)
  expect(looksLikeCardNumber('4111111111111111235')).toBe(true)
  expect(looksLikeCardNumber(`4222222222222${'0'.repeat(32)}`)).toBe(false)
  expect(looksLikeCardNumber('')).toBe(false)
})
