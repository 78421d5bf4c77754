import type { Discount } from '../../src/invoice/rules/invoice'
import { collectedAmount, OTHER_AMOUNT } from '../../src/recurring/rules/collected-amount'

const off = (daysBeforeDueDate: number, cents: number): Discount => ({
  amountInCents: cents,
  percentageBps: null,
  daysBeforeDueDate,
})

test.each<[string, readonly Discount[], number, number]>([
  ['without a discount, what is owed', [], 9_980, 9_980],
  ['the discount until the due date is taken off', [off(0, 500)], 9_980, 9_480],
  ['one that ends before the due date is not', [off(5, 500)], 9_980, 9_980],
  ['of several, the one until the due date counts', [off(5, 900), off(0, 500)], 9_980, 9_480],
  [
    'a part of the amount, rounded down',
    [{ ...off(0, 0), amountInCents: null, percentageBps: 333 }],
    9_980,
    9_648,
  ],
  ['a cent stays to be asked for', [off(0, 500)], 400, 1],
  ['exactly a cent is left', [off(0, 500)], 501, 1],
])('%s', (_words, discounts, owed, collected) => {
  expect(collectedAmount({ amount: 9_980, discounts: [...discounts] }, owed)).toBe(collected)
})

test('what Cofre says of a collection that it does not send', () => {
  expect(OTHER_AMOUNT).toBe('OTHER_AMOUNT')
})
