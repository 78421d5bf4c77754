import { cardNetReport, cardNetResult, measureCardNet } from '../src/card-net/measure-card-net'

const cost = (leastMs: number) => ({ shape: 'zeros', firstMs: 90, p50: 30, leastMs })

test('the least time of every shape decides whether the budget is kept', () => {
  expect(cardNetResult([cost(20), cost(1)], 1).kept).toBe(true)
  const slow = cardNetResult([cost(1), cost(20.1)], 1)
  expect(slow.kept).toBe(false)
  expect(cardNetReport(slow)).toContain('| zeros | 90.0 | 30.0 | 1.0 | kept |')
  expect(cardNetReport(slow)).toContain('| 20.1 | **missed** |')
})

test('at least ten shapes are searched', () => {
  expect(measureCardNet(1).costs.length).toBeGreaterThanOrEqual(10)
})
