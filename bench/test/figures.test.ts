import { checkBudgets } from '../src/budgets'
import { medianOf, median, percentile } from '../src/figures'
import { cardNumber } from '../src/paths'
import { reportOf } from '../src/report'
import type { PathResult, Result } from '../src/result'
import { between, perRequest } from '../src/statements'

test('a percentile is a value that was measured', () => {
  const values = Array.from({ length: 200 }, (_, index) => 200 - index)
  expect([0.5, 0.95, 0.99, 1].map((share) => percentile(values, share))).toEqual([100, 190, 198, 200])
  expect(percentile([7], 0.99)).toBe(7)
})

test('one slow round does not change the median', () => {
  const round = (p50: number) => ({ perSecond: 100, p50, p95: 5, p99: 9, cpu: { orders: p50 / 2 } })
  expect(medianOf([round(2), round(50), round(4)])).toMatchObject({ p50: 4, cpu: { orders: 2 } })
  expect(median([1, 2, 3, 10])).toBe(2.5)
})

test('every card number is different, passes Luhn and is approved', () => {
  const numbers = Array.from({ length: 500 }, (_, count) => cardNumber(count))
  expect(new Set(numbers).size).toBe(500)
  expect(numbers.every((number) => /^424242\d{9}1$/.test(number))).toBe(true)
})

test('statements that always run are not charged to the requests', () => {
  const statement = (text: string, calls: number) =>
    [text, { database: 'orders', text, calls, ms: calls }] as const
  const before = new Map([statement('poll', 100), statement('save', 5)])
  const after = new Map([statement('poll', 150), statement('save', 25)])
  const idle = { statements: new Map([statement('poll', 100)]), seconds: 10 }

  const busy = { statements: between(before, after), requests: 20, seconds: 5 }
  expect(perRequest(busy, idle)).toEqual([{ database: 'orders', text: 'save', perRequest: 1, meanMs: 1 }])
})

const path = (name: string, clients: number, perSecond: number, p50: number): PathResult => ({
  path: name,
  clients,
  figures: { perSecond, p50, p95: p50, p99: p50, cpu: { orders: 1, sandbox: 5 } },
  requests: 100,
  failures: 0,
})
const result: Result = {
  node: 'v0',
  authorize: [path('authorize', 1, 100, 9), path('authorize', 16, 500, 30)],
  voucherPayment: [path('voucher payment', 1, 120, 8), path('voucher payment', 16, 590, 25)],
  ceiling: [path('ceiling', 1, 500, 2), path('ceiling', 16, 1_000, 15)],
  barePath: [path('bare path', 1, 200, 5), path('bare path', 16, 2_000, 25)],
  partner: path('acquirer alone', 1, 1_000, 2),
  paths: [path('list', 1, 100, 5)],
  delivery: { count: 10, p50: 40, p99: 251 },
  busyDelivery: { count: 10, p50: 60, p99: 250 },
  startSeconds: 3,
  others: 0,
  idleMemory: { orders: 100 },
  firstFailure: null,
}

test('the report shows a missed budget', () => {
  const missed = checkBudgets(result).filter(({ kept }) => !kept)
  expect(missed.map(({ budget, found }) => [budget, found])).toEqual([
    ['authorize, share of the bare path, 16 clients', 0.25],
    ['voucher payment, rate beside authorize, 16 clients', 1.18],
    ['event to first delivery, p99', 251],
  ])
  expect(reportOf(result)).toContain('| event to first delivery, p99 | ≤ 250 ms | 251 | **missed** |')
})
