import { ChargeStatus, TransactionStatus, TransactionType, type Charge } from '@cofre/proto/orders/v1/orders'
import { expireAuthorizations } from '../src/sweepers/expire-authorizations'
import { authorize, capture, order } from './support/orders'
import { get, newSeller, passDeadlines, resolved, startOrders, type TestOrders } from './support/start-orders'

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
})
afterEach(() => jest.restoreAllMocks())
afterAll(() => orders.stop())

/** Ages a charge by that many days. */
async function agedBy(days: number, amount = 10_000): Promise<Charge> {
  const charge = await authorize(orders, order(await newSeller(orders), { amount }))
  await orders.pool.query(
    'UPDATE charges SET created_at = created_at - $2 * interval $$1 day$$ WHERE id = $1',
    [charge.id, days],
  )
  return charge
}

const atAcquirer = (charge: Charge) => orders.acquirer.paymentOf(charge.payments[0])
const expired = (charge: Charge) =>
  resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.EXPIRED))

test('an authorization not captured within the window is given back and expires', async () => {
  const [old, young] = [await agedBy(7.1), await agedBy(6.9)]
  await expireAuthorizations(orders.deps)
  await expect(capture(orders, old)).rejects.toMatchObject({ reason: 'INVALID_CHARGE_STATE' })
  const done = await expired(old)
  expect(done.transactions.at(-1)).toMatchObject({
    type: TransactionType.VOID,
    status: TransactionStatus.SUCCEEDED,
  })
  expect(atAcquirer(old).status).toBe(10)
  const { rows } = await orders.pool.query('SELECT type FROM outbox WHERE key = $1 ORDER BY id', [
    String(old.id),
  ])
  expect(rows.map(({ type }) => type)).toEqual(['charge.authorized', 'charge.expired'])
  expect((await get(orders, young)).status).toBe(ChargeStatus.AUTHORIZED)
})

test('a charge that cannot be marked does not keep others from expiring', async () => {
  const [broken, other] = [await agedBy(9), await agedBy(8)]
  await orders.pool.query(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not this one'; END $$;
    CREATE TRIGGER broken BEFORE UPDATE ON charges FOR EACH ROW WHEN (OLD.id = ${broken.id}) EXECUTE FUNCTION fail()`)
  await expireAuthorizations(orders.deps)
  await expired(other)
  await orders.pool.query('DROP TRIGGER broken ON charges; DROP FUNCTION fail')
  await expireAuthorizations(orders.deps)
  await expired(broken)
})

test('an acquirer that answers that it is too late has let the authorization lapse by itself', async () => {
  const charge = await agedBy(8)
  orders.acquirer.fail('void', { status: 200, body: { Status: 1, ReturnCode: '40' } })
  await expireAuthorizations(orders.deps)
  await expired(charge)
})

test('an expiry whose void did not arrive is sent again', async () => {
  const charge = await agedBy(8)
  orders.acquirer.fail('void', 'lost_undone')
  await expireAuthorizations(orders.deps)
  await resolved(orders, charge, () => expect(orders.acquirer.faults.get('void')).toEqual([]))
  expect(atAcquirer(charge).status).toBe(1)
  await passDeadlines(orders, charge)
  await expired(charge)
  expect(atAcquirer(charge).status).toBe(10)
})

test('a card verification has nothing to expire, and a captured charge is left alone', async () => {
  const [verified, taken] = [await agedBy(30, 0), await agedBy(30)]
  await capture(orders, taken)
  await expireAuthorizations(orders.deps)
  expect((await get(orders, verified)).status).toBe(ChargeStatus.AUTHORIZED)
  expect((await get(orders, taken)).status).toBe(ChargeStatus.CAPTURED)
})

test('a sale that the acquirer no longer knows is logged, and stays pending', async () => {
  const charge = await agedBy(8)
  const told = jest.spyOn(orders.deps.log, 'error')
  orders.acquirer.payments.splice(orders.acquirer.payments.indexOf(atAcquirer(charge)), 1)
  await expireAuthorizations(orders.deps)
  const violation = { chargeId: charge.id, position: 0, invariant: 'acquirer-agrees' }
  const done = await resolved(orders, charge, () =>
    expect(told).toHaveBeenCalledWith(violation, 'invariant violated'),
  )
  expect(done.status).toBe(ChargeStatus.AUTHORIZED)
  expect(done.transactions.at(-1)?.status).toBe(TransactionStatus.PENDING)
})

test('a sale that the acquirer has captured is never given back by an expiry', async () => {
  const charge = await agedBy(8)
  const payment = atAcquirer(charge)
  Object.assign(payment, { status: 2, capturedAmount: payment.amount })
  await expireAuthorizations(orders.deps)
  const asked = () =>
    orders.acquirer.calls.filter((call) => call === `GET /1/sales/${payment.paymentId}`).length
  await resolved(orders, charge, () => expect(asked()).toBeGreaterThan(2))
  expect(orders.acquirer.calls.filter((call) => call.includes(`${payment.paymentId}/void`))).toEqual([])
  expect((await get(orders, charge)).status).toBe(ChargeStatus.AUTHORIZED)
})
