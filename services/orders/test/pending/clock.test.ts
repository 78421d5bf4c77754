import { shiftDatabaseClock } from '@cofre/testing/testing'
import { ChargeStatus } from '@cofre/proto/orders/v1/orders'
import { authorize, DECLINED, order } from '../support/orders'
import { newSeller, resolved, startOrders, type TestOrders } from '../support/start-orders'

const LIMIT = 3

describe.each(['5 minutes', '-5 minutes'])('a database whose clock is off by %s', (by) => {
  let orders: TestOrders
  beforeAll(async () => {
    const before = await startOrders({ guessesPerMinute: LIMIT })
    before.acquirer.declines.set('0002', { code: '14' })
    await shiftDatabaseClock(before.pool, by)
    orders = { ...before, ...(await before.startReplica()) }
  })
  afterAll(() => orders.stop())

  test('leaves the guard against card testing as it is', async () => {
    const request = order(await newSeller(orders), { cards: [DECLINED] })
    for (let declined = 0; declined < LIMIT; declined++) await authorize(orders, request)
    await expect(authorize(orders, request)).rejects.toMatchObject({ reason: 'RATE_LIMITED' })

    const minuteLater = `UPDATE payments SET denied_at = denied_at - interval '1 minute' WHERE seller_id = $1`
    await orders.pool.query(minuteLater, [request.sellerId])
    await expect(authorize(orders, request)).resolves.toMatchObject({ status: ChargeStatus.DENIED })
  })

  test('does not keep a charge from being resolved after its answer was lost', async () => {
    orders.acquirer.fail('sale', 'answer_lost')
    const charge = await authorize(orders, order(await newSeller(orders)))
    await resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.AUTHORIZED))
  })
})
