import type { ComparedRound } from '../src/compare/compare'
import { compareReport, rowsOf, statementsReport } from '../src/compare/compare-report'
import { workBetween } from '../src/compare/database-work'

const roundOf = (orders: number, failure?: string): ComparedRound => ({
  cpu: { orders, postgres: 1, sandbox: 50 },
  work: { statements: 3, fsyncs: 1, walKib: 2 },
  statements: [{ database: 'orders', text: 'SELECT 1', perRequest: 2, meanMs: 0.25 }],
  perSecond: 100,
  p50: 4,
  failures: failure === undefined ? 0 : 1,
  ...(failure === undefined ? {} : { firstFailure: failure }),
})

test('a round is compared with the round beside it, and one slow hour changes nothing', () => {
  const rounds = [1, 1, 5].map((slow) => ({ before: roundOf(3 * slow), after: roundOf(1 * slow) }))
  const [row] = rowsOf([{ path: 'capture', rounds }])
  expect(row?.ratio?.median).toBe(0.5)
  expect(row?.figures.before).toMatchObject({ ours: 4, orders: 3, SQL: 3, fsyncs: 1 })
  expect(compareReport([{ path: 'capture', rounds }])).toContain(
    '| capture | 0.500 (0.38 to 0.50) | 4.00 → 2.00 |',
  )
})

test('the work that runs anyway is not charged to the calls', () => {
  const work = (statements: number) => ({ statements, fsyncs: 0, walKib: 0 })
  const found = workBetween(work(100), work(300), { calls: 10, seconds: 5, idle: work(20) })
  expect(found).toEqual(work(10))
})

test('a call that failed is named', () => {
  const failed = [{ path: 'list', rounds: [{ after: roundOf(1, 'GET /: 500') }] }]
  expect(compareReport(failed)).toContain('list failed: `GET /: 500`')
})

test('each statement of a call is named with its database', () => {
  const report = statementsReport([{ path: 'list', rounds: [{ after: roundOf(1) }] }])
  expect(report).toContain('| orders | 2 | 0.250 | `SELECT 1` |')
})
