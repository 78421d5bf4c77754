import { ChargeStatus, type Charge } from '@cofre/proto/orders/v1/orders'
import { lookAgain } from '../../src/sweepers/look-again'
import { authorize, order } from '../support/orders'
import {
  get,
  newSeller,
  passDeadlines,
  resolved,
  startOrders,
  type TestOrders,
} from '../support/start-orders'

const MINUTE_MS = 60_000

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
})
afterEach(() => jest.restoreAllMocks())
afterAll(() => orders.stop())

/** A sale with an unsure decline: by its code, the acquirer itself does not know the outcome. */
async function unsure(code: string): Promise<Charge> {
  orders.acquirer.declines.set('1111', { code })
  const charge = await authorize(orders, order(await newSeller(orders)))
  expect(charge.status).toBe(ChargeStatus.PENDING)
  return charge
}
const queriesOf = (charge: Charge) => {
  const { paymentId } = orders.acquirer.paymentOf(charge.payments[0])
  return orders.acquirer.calls.filter((call) => call === `GET /1/sales/${paymentId}`).length
}

test.each(['98', 'BP900', 'BP901'])(
  'an unsure decline (%s) holds after half an hour, and not before',
  async (code) => {
    const charge = await unsure(code)
    await passDeadlines(orders, charge, 29 * MINUTE_MS)
    const asked = queriesOf(charge)
    await resolved(orders, charge, () => expect(queriesOf(charge)).toBeGreaterThan(asked + 1))
    expect((await get(orders, charge)).status).toBe(ChargeStatus.PENDING)

    await passDeadlines(orders, charge, 31 * MINUTE_MS)
    const done = await resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.DENIED))
    expect(done.payments[0]?.decline).toMatchObject({ acquirerCode: code })
  },
)

const lookOf = async ({ id }: Charge): Promise<Date | null> => {
  const { rows } = await orders.pool.query('SELECT look_again_at AS at FROM charges WHERE id = $1', [id])
  return rows[0].at
}
async function lookAfter({ id }: Charge, ms: number): Promise<void> {
  await orders.pool.query(
    `UPDATE charges SET absent_since = absent_since - $2 * interval '1 millisecond',
       look_again_at = look_again_at - $2 * interval '1 millisecond' WHERE id = $1`,
    [id, ms],
  )
  await lookAgain(orders.deps)
}
async function deniedUnsurely(): Promise<Charge> {
  const charge = await unsure('98')
  await passDeadlines(orders, charge, 31 * MINUTE_MS)
  return resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.DENIED))
}

test.each([
  ['authorized', 1],
  ['captured', 2],
] as const)(
  'a sale that turns up %s after its unsure decline held is given back, and logged',
  async (_name, status) => {
    const charge = await deniedUnsurely()
    const payment = orders.acquirer.paymentOf(charge.payments[0])
    const capturedAmount = status === 2 ? charge.amount : 0
    Object.assign(payment, { status, returnCode: '4', capturedAmount })
    const told = jest.spyOn(orders.deps.log, 'error')
    await lookAfter(charge, 60 * MINUTE_MS)

    const violation = { chargeId: charge.id, position: 0, invariant: 'decline-lasts' }
    expect(told).toHaveBeenCalledWith(violation, 'invariant violated')
    const done = await resolved(orders, charge, () => expect(payment.status).toBe(10))
    expect(done).toMatchObject({
      status: ChargeStatus.DENIED,
      payments: [{ decline: { acquirerCode: '98' } }],
    })
    expect(await lookOf(charge)).toBeNull()
  },
)

test('an unsure decline that stays is looked at an hour and a day later, and no more', async () => {
  const charge = await deniedUnsurely()
  const asked = queriesOf(charge)
  await lookAfter(charge, 60 * MINUTE_MS)
  expect((await lookOf(charge))?.getTime()).toBeGreaterThan(Date.now() + 22 * 60 * MINUTE_MS)
  await lookAfter(charge, 23 * 60 * MINUTE_MS)
  expect(await lookOf(charge)).toBeNull()
  expect(queriesOf(charge)).toBe(asked + 2)
})

test('a decline with a certain code is not looked at again', async () => {
  orders.acquirer.declines.set('1111', { code: '51' })
  const charge = await authorize(orders, order(await newSeller(orders)))
  expect([charge.status, await lookOf(charge)]).toEqual([ChargeStatus.DENIED, null])
})

test('an unsure decline becomes an approval when the acquirer approves in time', async () => {
  const charge = await unsure('BP900')
  await passDeadlines(orders, charge, 29 * MINUTE_MS)
  Object.assign(orders.acquirer.paymentOf(charge.payments[0]), { status: 1, returnCode: '4' })
  await resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.AUTHORIZED))
})
