import { ChargeStatus, TransactionStatus, type Charge } from '@cofre/proto/orders/v1/orders'
import { authorize, capture, order, refund, VISA } from '../support/orders'
import { get, newSeller, startOrders, type TestOrders } from '../support/start-orders'

const TOO_MANY_CALLS = { status: 429, body: '' }
const CARDS = 10
/** More operations than a charge may have. */
const TIMES = 21

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
})
afterEach(() => orders.acquirer.faults.clear())
afterAll(() => orders.stop())

async function onTenCards(): Promise<Charge> {
  const cards = Array.from({ length: CARDS }, () => VISA)
  return authorize(orders, order(await newSeller(orders), { cards }))
}
async function inVain(call: 'capture' | 'void', work: () => Promise<Charge>): Promise<void> {
  for (let time = 0; time < TIMES; time++) {
    orders.acquirer.fail(call, ...Array.from({ length: CARDS }, () => TOO_MANY_CALLS))
    await expect(work()).rejects.toMatchObject({ kind: 'unavailable' })
  }
}
const idsOf = ({ transactions }: Charge) => transactions.map(({ id }) => id)

test('any number of captures and refunds that never left leave room for one that does', async () => {
  const charge = await onTenCards()
  await inVain('capture', () => capture(orders, charge))
  const full = await get(orders, charge)
  expect(idsOf(full)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1))
  expect(await capture(orders, charge, 9_500)).toMatchObject({ capturedAmount: 9_500 })

  await inVain('void', () => refund(orders, charge))
  expect(await refund(orders, charge, 2_500)).toMatchObject({ refundedAmount: 2_500 })
  const done = await refund(orders, charge)
  expect(done).toMatchObject({ status: ChargeStatus.REFUNDED, refundedAmount: 9_500 })
  expect(idsOf(done)).toEqual(idsOf(full))
  expect(done.transactions.filter(({ status }) => status === TransactionStatus.SUCCEEDED)).toHaveLength(31)
  expect(orders.acquirer.paymentOf(done.payments[9])).toMatchObject({
    capturedAmount: 500,
    voidedAmount: 500,
  })
})
