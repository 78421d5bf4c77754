import { assert, integer, property } from 'fast-check'
import { MAX_AMOUNT, reais, splitInstallments, sumOf } from '../src/money'

test('instalments add up, differ by less than a cent each, and the first carries the rest', () => {
  assert(
    property(integer({ min: 0, max: MAX_AMOUNT }), integer({ min: 1, max: 12 }), (amount, installments) => {
      const [first = 0, ...others] = splitInstallments(amount, installments)

      expect(sumOf([first, ...others])).toBe(amount)
      expect(new Set(others).size).toBeLessThanOrEqual(1)
      if (others[0] !== undefined) expect(first - others[0]).toBeLessThan(installments)
    }),
  )
})

test('100.00 in three is 33.34, 33.33 and 33.33', () => {
  expect(splitInstallments(10_000, 3)).toEqual([3_334, 3_333, 3_333])
})

test('zero is split too, and a single cent goes to the first instalment', () => {
  expect(splitInstallments(0, 3)).toEqual([0, 0, 0])
  expect(splitInstallments(1, 2)).toEqual([1, 0])
})

test.each([
  [1.5, 1],
  [-1, 1],
  [100, 0],
  [100, -1],
  [100, 1.5],
  [Number.NaN, 1],
])('%p in %p is refused', (amount, installments) => {
  expect(() => splitInstallments(amount, installments)).toThrow('whole and positive')
})

test('a sum beyond the safe range is refused', () => {
  expect(() => sumOf([Number.MAX_SAFE_INTEGER, 1])).toThrow('out of the safe range')
})

test.each([
  [0, '0.00'],
  [5, '0.05'],
  [3_500, '35.00'],
  [12_345, '123.45'],
  [MAX_AMOUNT, '999999999.99'],
])('%p cents are %p reais', (cents, text) => expect(reais(cents)).toBe(text))
