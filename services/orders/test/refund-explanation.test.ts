import { array, assert, boolean, infiniteStream, integer, property } from 'fast-check'
import { explainRefunds } from '../src/charge/refund-explanation'

const refunds = (...amounts: number[]) => amounts.map((amount, index) => ({ id: index + 1, amount }))

test('the oldest refunds that add up to the difference are taken', () => {
  expect(explainRefunds(refunds(100, 200, 300), 300)).toEqual(new Set([1, 2]))
  expect(explainRefunds(refunds(100, 100, 100), 200)).toEqual(new Set([1, 2]))
  expect(explainRefunds(refunds(100, 250, 300), 300)).toEqual(new Set([3]))
  expect(explainRefunds(refunds(100, 200), 0)).toEqual(new Set())
})

test('a difference that no set adds up to has no explanation', () => {
  expect(explainRefunds(refunds(100, 200), 150)).toBeUndefined()
  expect(explainRefunds(refunds(100), -100)).toBeUndefined()
})

test('any number of refunds is explained, even with repeated amounts', () => {
  expect(explainRefunds(refunds(...Array(17).fill(1)), 1)).toEqual(new Set([1]))
  expect(explainRefunds(refunds(...Array(150).fill(700), 300), 300)).toEqual(new Set([151]))
  const amounts = Array.from({ length: 40 }, (_, index) => 101 + 37 * index)
  const sum = amounts.filter((_, index) => index % 3 === 0).reduce((total, amount) => total + amount, 0)
  const found = [...(explainRefunds(refunds(...amounts), sum) ?? [])]
  expect(found.reduce((total, id) => total + (amounts[id - 1] ?? 0), 0)).toBe(sum)
})

test('a dead end from one refund is still tried from another, whatever the amounts', () => {
  const millions = refunds(60_000_000, 100_000_000, 40_000_000, 50_000_000)
  expect(explainRefunds(millions, 140_000_000)).toEqual(new Set([2, 3]))
})

test('refunds that are too large, or too small in sum, cost the search nothing', () => {
  const doubling = Array.from({ length: 34 }, (_, index) => 2 ** (index + 4))
  expect(explainRefunds(refunds(...doubling, 3), 3)).toEqual(new Set([35]))
  const allButOne = doubling.reduce((sum, amount) => sum + amount)
  const found = explainRefunds(refunds(1, ...doubling), allButOne)
  expect(found).toEqual(new Set(doubling.map((_, index) => index + 2)))
})

test('a search that would take too long ends without an explanation', () => {
  // Even amounts and an odd sum: no set explains it, and no two sets have the same sum.
  const amounts = Array.from({ length: 34 }, (_, index) => 2 ** (index + 1))
  expect(explainRefunds(refunds(...amounts), 2 ** 33 + 1)).toBeUndefined()
})

test('any refunds that happened are explained by a set of the same sum', () => {
  const amounts = array(integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 12 })
  assert(
    property(amounts, infiniteStream(boolean()), (pending, coin) => {
      const sum = pending.reduce((total, amount) => total + (coin.next().value ? amount : 0), 0)
      const found = [...(explainRefunds(refunds(...pending), sum) ?? [])]
      expect(found.reduce((total, id) => total + (pending[id - 1] ?? 0), 0)).toBe(sum)
    }),
  )
})
