import { withPaymentAmounts } from '@cofre/api/older-charge'
import type { Charge } from '@cofre/proto/orders/v1/orders'
import { ALSO_GOOD, authorize, capture, DECLINED, order, refund, VISA } from '../support/orders'
import { newSeller, settled, startOrders, type TestOrders } from '../support/start-orders'

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
  orders.acquirer.declines.set('0002', { code: '05' })
})
afterAll(() => orders.stop())

/** The charge as an older version wrote it into its events. */
const older = (charge: Charge): Charge => ({
  ...charge,
  payments: charge.payments.map((payment) => ({ ...payment, capturedAmount: 0, refundedAmount: 0 })),
  transactions: charge.transactions.map((transaction) => ({ ...transaction, payment: 0 })),
})

const found = (charge: Charge) => expect(withPaymentAmounts(older(charge))).toEqual(charge)

const authorized = async (cards: string[]) =>
  authorize(orders, order(await newSeller(orders), { cards, amount: 9_000 }))

test.each([[[VISA]], [[VISA, ALSO_GOOD, VISA]]])(
  'the rest of an event yields the fields that an older version left out: payments %j',
  async (cards) => {
    const charge = await authorized(cards)
    found(charge)
    found(await capture(orders, charge, 4_000))
    await settled(orders, charge, ({ transactions }) =>
      expect(transactions.map(({ status }) => status)).not.toContain('TRANSACTION_STATUS_PENDING'),
    )
    found(await refund(orders, charge, 3_500))
    found(await refund(orders, charge))
  },
)

test.each([
  ['voided', { cards: [VISA, ALSO_GOOD], of: (charge: Charge) => refund(orders, charge) }],
  ['denied', { cards: [VISA, DECLINED, ALSO_GOOD], of: async (charge: Charge) => charge }],
])('the same holds for a charge that is %s', async (_, { cards, of }) => {
  const charge = await of(await authorized(cards))
  found(charge)
  await settled(orders, charge, (now) => found(now))
})

test('the same holds when the first part of a capture fails and is released', async () => {
  const charge = await authorized([VISA, ALSO_GOOD])
  orders.acquirer.fail('capture', { status: 200, body: { Status: 1, ReturnCode: '842' } })
  found(await capture(orders, charge))
  await settled(orders, charge, (now) => {
    expect(now.transactions).toHaveLength(5)
    found(now)
  })
})

test('a complete charge stays as it is', async () => {
  const charge = await capture(orders, await authorized([VISA, ALSO_GOOD]))
  expect(withPaymentAmounts(charge)).toBe(charge)
})
