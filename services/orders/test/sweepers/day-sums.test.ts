import { dayOf } from '@cofre/platform/calendar-day'
import { callRpc } from '@cofre/platform/grpc/client'
import { foldDayChanges } from '@cofre/platform/postgres/day-sums-store'
import { OrdersClient } from '@cofre/proto/orders/v1/orders'
import { ChargeReportsClient, type ChargeDay } from '@cofre/proto/orders/v1/reports'
import { ask, disputed } from '../support/disputes'
import { ALSO_GOOD, authorize, capture, DECLINED, order, refund, VISA } from '../support/orders'
import { newSeller, passDeadlines, resolved, startOrders, type TestOrders } from '../support/start-orders'

let orders: TestOrders
let reports: ChargeReportsClient
beforeAll(async () => {
  orders = await startOrders()
  orders.acquirer.declines.set('0002', { code: '51' })
  reports = await orders.network.clientOf(ChargeReportsClient, orders.address, 'gateway')
})
afterAll(() => orders.stop())

const today = () => dayOf(Date.now())
const daysOf = async (sellerId: number, from = today(), to = today()): Promise<ChargeDay[]> =>
  (await callRpc(reports, reports.sumDays, { sellerId, from, to })).days

/** Two approved charges, one of them captured and half refunded, one declined, and a verification of a card. */
async function sell(sellerId: number): Promise<void> {
  const charge = await authorize(orders, order(sellerId))
  await capture(orders, charge)
  await refund(orders, charge, 2_500)
  await refund(orders, charge, 1_500)
  await authorize(orders, order(sellerId, { amount: 5_000 }))
  await authorize(orders, order(sellerId, { cards: [DECLINED] }))
  await authorize(orders, order(sellerId, { amount: 0 }))
}

const SOLD = {
  approved: { count: 2, amount: 15_000 },
  approvedPix: { count: 0, amount: 0 },
  denied: { count: 1, amount: 10_000 },
  captured: { count: 1, amount: 10_000 },
  refunded: { count: 2, amount: 4_000 },
  declines: [{ code: 'INSUFFICIENT_FUNDS', count: 1 }],
  methods: [
    { method: 'VISA', captured: { count: 1, amount: 10_000 }, refunded: { count: 2, amount: 4_000 } },
  ],
  dispute: { count: 0, amount: 0 },
  disputeWon: { count: 0, amount: 0 },
}

test('a day adds up approvals, declines with their reasons, captures and refunds, folded or not', async () => {
  const sellerId = await newSeller(orders)
  await sell(sellerId)
  expect(await daysOf(sellerId)).toEqual([{ day: today(), ...SOLD }])
  await foldDayChanges(orders.pool)
  expect(await daysOf(sellerId)).toEqual([{ day: today(), ...SOLD }])
  await foldDayChanges(orders.pool)
  expect(await daysOf(sellerId)).toEqual([{ day: today(), ...SOLD }])
  expect(await daysOf(await newSeller(orders))).toEqual([])
  expect(await daysOf(sellerId, '2001-01-01', '2002-01-01')).toEqual([])
})

test('charges that come while replicas fold are counted once', async () => {
  const sellerId = await newSeller(orders)
  const charges = Array.from({ length: 12 }, () => authorize(orders, order(sellerId)))
  let isOver = false
  const folds = [1, 2].map(async () => {
    while (!isOver) await foldDayChanges(orders.pool)
  })
  await Promise.all(charges)
  isOver = true
  await Promise.all(folds)
  expect(await daysOf(sellerId)).toMatchObject([{ approved: { count: 12, amount: 120_000 } }])
})

test('a charge without an answer counts once its outcome is known', async () => {
  const sellerId = await newSeller(orders)
  orders.acquirer.fail('sale', 'answer_lost')
  const charge = await authorize(orders, order(sellerId))
  expect(await daysOf(sellerId)).toEqual([])
  await passDeadlines(orders, charge)
  await resolved(orders, charge, ({ authorizedAmount }) => expect(authorizedAmount).toBe(10_000))
  expect(await daysOf(sellerId)).toMatchObject([{ approved: { count: 1, amount: 10_000 } }])
})

test('the money of a charge that the invoices service made is left to its own sums', async () => {
  const sellerId = await newSeller(orders)
  const client = await orders.network.clientOf(OrdersClient, orders.address, 'invoices')
  await authorize({ client }, order(sellerId, { capture: true }))
  expect(await daysOf(sellerId)).toMatchObject([
    { approved: { count: 1, amount: 10_000 }, captured: { count: 0, amount: 0 }, methods: [] },
  ])
})

test('a charge of several cards counts once, and once for each method', async () => {
  const sellerId = await newSeller(orders)
  await capture(orders, await authorize(orders, order(sellerId, { amount: 8_000, cards: [VISA, ALSO_GOOD] })))
  expect(await daysOf(sellerId)).toMatchObject([
    {
      captured: { count: 1, amount: 8_000 },
      methods: [{ method: 'VISA', captured: { count: 2, amount: 8_000 } }],
    },
  ])
})

test('what a dispute takes and gives back counts, and the dispute of an invoice is left to its movements', async () => {
  const { charge, found } = await disputed(orders)
  const sums = async () => (await daysOf(charge.sellerId))[0]
  const taken = { count: 1, amount: 10_000 }
  expect(await sums()).toMatchObject({ dispute: taken, disputeWon: { count: 0, amount: 0 } })
  Object.assign(found, { state: 'done', action: 'A favor do Estabelecimento' })
  await ask(orders, charge.sellerId)
  expect(await sums()).toMatchObject({ dispute: taken, disputeWon: taken })
  await orders.pool.query('UPDATE charges SET request_id = NULL WHERE id = $1', [charge.id])
  orders.acquirer.disputes.reopen(found, 'ARBITRAGEM')
  await ask(orders, charge.sellerId)
  expect(await sums()).toMatchObject({ dispute: taken, disputeWon: taken })
})

test.each([
  ['2026-02-30', '2026-03-01', '#/from', 'FORMAT'],
  ['2026-03-01', 'soon', '#/to', 'FORMAT'],
  ['2026-03-02', '2026-03-01', '#/to', 'RANGE'],
  ['2026-01-01', '2027-02-05', '#/to', 'RANGE'],
])('the days from %s to %s are refused', async (from, to, pointer, code) => {
  await expect(daysOf(1, from, to)).rejects.toMatchObject({
    reason: 'VALIDATION_FAILED',
    extra: { errors: [{ pointer, code }] },
  })
})
