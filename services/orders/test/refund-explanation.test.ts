import { array, assert, boolean, infiniteStream, integer, property } from 'fast-check'
import { explainRefunds } from '../src/charge/refund-explanation'

const refunds = (...amounts: number[]) => amounts.map((amount, index) => ({ id: index + 1, amount }))

test('the oldest refunds that add up to the difference are taken', () => {
  expect(explainRefunds(refunds(100, 200, 300), 300)).toEqual(new Set([1, 2]))
  expect(explainRefunds(refunds(100, 100, 100), 200)).toEqual(new Set([1, 2]))
  expect(explainRefunds(refunds(100, 250, 300), 300)).toEqual(new Set([3]))
  expect(explainRefunds(refunds(100, 200), 0)).toEqual(new Set())
})

test('a difference that no set explains is not explained', () => {
  expect(explainRefunds(refunds(100, 200), 150)).toBeUndefined()
  expect(explainRefunds(refunds(100), -100)).toBeUndefined()
  expect(explainRefunds(refunds(...Array(17).fill(1)), 1)).toBeUndefined()
})

test('whatever happened is explained by a set of the same sum', () => {
  const amounts = array(integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 12 })
  assert(
    property(amounts, infiniteStream(boolean()), (pending, coin) => {
      const sum = pending.reduce((total, amount) => total + (coin.next().value ? amount : 0), 0)
      const found = [...(explainRefunds(refunds(...pending), sum) ?? [])]
      expect(found.reduce((total, id) => total + (pending[id - 1] ?? 0), 0)).toBe(sum)
    }),
  )
})
