import { ChargeStatus, type Charge } from '@cofre/proto/orders/v1/orders'
import { authorize, order } from '../support/orders'
import { get, newSeller, passDeadlines, settled, startOrders, type TestOrders } from '../support/start-orders'

const MINUTE_MS = 60_000

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
})
afterAll(() => orders.stop())

/** A sale that the acquirer declined with a code by which it does not know itself. */
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
  'a decline by which the acquirer does not know itself (%s) holds after half an hour, and not before',
  async (code) => {
    const charge = await unsure(code)
    await passDeadlines(orders, charge, 29 * MINUTE_MS)
    const asked = queriesOf(charge)
    await settled(orders, charge, () => expect(queriesOf(charge)).toBeGreaterThan(asked + 1))
    expect((await get(orders, charge)).status).toBe(ChargeStatus.PENDING)

    await passDeadlines(orders, charge, 31 * MINUTE_MS)
    const done = await settled(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.DENIED))
    expect(done.payments[0]?.decline).toMatchObject({ acquirerCode: code })
  },
)

test('a decline by which the acquirer did not know is an approval when it says so in time', async () => {
  const charge = await unsure('BP900')
  await passDeadlines(orders, charge, 29 * MINUTE_MS)
  Object.assign(orders.acquirer.paymentOf(charge.payments[0]), { status: 1, returnCode: '4' })
  await settled(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.AUTHORIZED))
})
