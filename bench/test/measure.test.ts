import { at, checkBudgets } from '../src/budgets'
import { measure } from '../src/measure'
import { reportOf } from '../src/report'

// Times mean little on a busy machine, but an authorize always runs the same statements.
test('a short run measures every path, and an authorize runs its usual statements', async () => {
  const result = await measure(
    {
      charges: 300,
      rounds: 1,
      seconds: 0.4,
      attempts: 1,
      warmUpRequests: 20,
      idleSeconds: 1,
      deliveries: 3,
      calls: 5,
    },
    () => {},
  )

  expect(result.firstFailure).toBeNull()
  expect(result.paths.map(({ path, clients }) => `${path} ${clients}`)).toEqual(
    [
      'capture',
      'refund',
      'store-card',
      'invoice-by-card',
      'invoice-by-pix',
      'read',
      'list',
      'portal-home',
      'checkout-page',
    ].flatMap((path) => [`${path} 1`, `${path} 16`]),
  )
  expect(checkBudgets(result).every(({ found }) => Number.isFinite(found))).toBe(true)
  expect(reportOf(result)).not.toMatch(/NaN|undefined/)

  const statements = at(result.authorize, 1).statements ?? []
  const perAuthorize = (database: string, text: RegExp) =>
    statements
      .filter((statement) => statement.database === database && text.test(statement.text))
      .reduce((sum, { perRequest }) => sum + perRequest, 0)
  expect(perAuthorize('orders', /^WITH establishment AS/)).toBeCloseTo(1, 1)
  expect(perAuthorize('orders', /^WITH saved AS/)).toBeCloseTo(1, 1)
  // The vault finds the card by its token. The charge before has already provided its display data.
  expect(perAuthorize('vault', /sealed_number/)).toBeCloseTo(1, 1)
})
