import { randomUUID } from 'node:crypto'
import { callRpc } from '@cofre/platform/grpc/client'
import { eventually } from '@cofre/testing/testing'
import { ChargeStatus, TransactionStatus, type Charge } from '@cofre/proto/orders/v1/orders'
import { ALSO_GOOD, authorize, capture, order, refund, VISA } from './support/orders'
import {
  get,
  newSeller,
  passDeadlines,
  resolved,
  startOrders,
  withKey,
  type TestOrders,
} from './support/start-orders'

let orders: TestOrders
beforeAll(async () => {
  // No sweeper runs here: people are faster.
  orders = await startOrders()
})
afterAll(() => orders.stop())

const resolve = (charge: Charge, status: TransactionStatus, changes: object = {}) =>
  callRpc(orders.admin, orders.admin.resolveTransaction, {
    sellerId: charge.sellerId,
    chargeId: charge.id,
    transactionId: charge.transactions.length,
    status,
    reason: 'The acquirer’s support says so.',
    acquirerPaymentId: '',
    resolvedBy: 'ana',
    ...changes,
  })
const { SUCCEEDED, FAILED } = TransactionStatus

/** A capture that did not reach the acquirer, unknown to the service. */
async function lostCapture(key = ''): Promise<Charge> {
  const charge = await authorize(orders, order(await newSeller(orders)))
  orders.acquirer.fail('capture', 'lost_undone')
  return key === '' ? capture(orders, charge) : withKey(key, () => capture(orders, charge))
}
const eventsOf = async ({ id }: Charge) => {
  const { rows } = await orders.pool.query('SELECT type FROM outbox WHERE key = $1 ORDER BY id', [String(id)])
  return rows.map(({ type }) => type)
}

test('a capture that happened is adopted and sends its event; its key gives the first answer again', async () => {
  const charge = await lostCapture('by-hand')
  await passDeadlines(orders, charge)
  const done = await resolve(charge, SUCCEEDED)
  expect(done).toMatchObject({ status: ChargeStatus.CAPTURED, capturedAmount: 10_000 })
  expect(await eventsOf(charge)).toEqual(['charge.authorized', 'charge.captured'])
  expect(await withKey('by-hand', () => capture(orders, charge))).toEqual(charge)
})

test('a capture that did not happen may be requested again', async () => {
  const charge = await lostCapture()
  await passDeadlines(orders, charge)
  const closed = await resolve(charge, FAILED)
  expect(closed.status).toBe(ChargeStatus.AUTHORIZED)
  expect(closed.transactions[1]).toMatchObject({ status: FAILED, failure: { code: 'CLOSED_BY_OPERATOR' } })
  expect(await eventsOf(charge)).toEqual(['charge.authorized', 'charge.capture_failed'])
  expect(await capture(orders, charge)).toMatchObject({ status: ChargeStatus.CAPTURED })
})

test('the amount of a refund closed as failed can be refunded again, that of one that happened cannot', async () => {
  const charge = await authorize(orders, order(await newSeller(orders), { capture: true }))
  orders.acquirer.fail('void', 'lost_undone', 'lost_undone')
  const both = await Promise.all([refund(orders, charge, 6_000), refund(orders, charge, 1_000)])
  expect(both.map(({ status }) => status)).toEqual([ChargeStatus.CAPTURED, ChargeStatus.CAPTURED])
  const large = (await get(orders, charge)).transactions.find(({ amount }) => amount === 6_000)?.id
  const small = (await get(orders, charge)).transactions.find(({ amount }) => amount === 1_000)?.id
  await passDeadlines(orders, charge)
  await resolve(charge, FAILED, { transactionId: large })
  expect(await resolve(charge, SUCCEEDED, { transactionId: small })).toMatchObject({
    refundedAmount: 1_000,
  })
  await expect(refund(orders, charge, 9_001)).rejects.toMatchObject({ kind: 'failed_precondition' })
})

test('of two people who close it at once, one succeeds', async () => {
  const charge = await lostCapture()
  await passDeadlines(orders, charge)
  const ends = await Promise.allSettled([resolve(charge, SUCCEEDED), resolve(charge, FAILED)])
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('an operation that may still be on its way, or is not pending, is left alone', async () => {
  const charge = await authorize(orders, order(await newSeller(orders)))
  const refused = { kind: 'failed_precondition', reason: 'INVALID_CHARGE_STATE' }
  await expect(resolve(charge, FAILED)).rejects.toMatchObject(refused)
  orders.acquirer.fail('capture', 'hang')
  const waiting = capture(orders, charge)
  await eventually(async () => expect((await get(orders, charge)).transactions).toHaveLength(2))
  await expect(resolve(charge, FAILED, { transactionId: 2 })).rejects.toMatchObject(refused)
  orders.acquirer.release()
  await waiting
})

describe('an authorization', () => {
  /** An authorization without an answer. */
  const lostSale = async (changes: Parameters<typeof order>[1] = {}) => {
    orders.acquirer.fail('sale', 'answer_lost')
    const charge = await authorize(orders, order(await newSeller(orders), changes))
    expect(charge.status).toBe(ChargeStatus.PENDING)
    return charge
  }
  const first = { transactionId: 1 }

  test('that may still be on its way is left alone', async () => {
    const charge = await lostSale()
    await expect(resolve(charge, FAILED)).rejects.toMatchObject({ reason: 'INVALID_CHARGE_STATE' })
  })

  test('that did not happen ends as failed, and sends an event', async () => {
    const charge = await lostSale()
    await passDeadlines(orders, charge)
    const closed = await resolve(charge, FAILED)
    expect(closed.status).toBe(ChargeStatus.FAILED)
    expect(closed.transactions[0]).toMatchObject({ status: FAILED, failure: { code: 'CLOSED_BY_OPERATOR' } })
    expect(await eventsOf(charge)).toEqual(['charge.pending', 'charge.failed'])
  })

  test('that did not happen, among several payments, gives the others back', async () => {
    const request = order(await newSeller(orders), { cards: [VISA, ALSO_GOOD] })
    orders.acquirer.fail('sale', 'none', 'lost_undone')
    const charge = await authorize(orders, request)
    await expect(resolve(charge, FAILED, { transactionId: 2 })).rejects.toMatchObject({
      reason: 'INVALID_CHARGE_STATE',
    })
    await passDeadlines(orders, charge)
    await resolve(charge, FAILED, { transactionId: 2 })
    await resolved(orders, charge, ({ payments }) =>
      expect(payments.map(({ status }) => status)).toEqual([ChargeStatus.VOIDED, ChargeStatus.FAILED]),
    )
  })

  test('of a payment whose turn has not come is left alone', async () => {
    orders.acquirer.fail('sale', 'answer_lost')
    const charge = await authorize(orders, order(await newSeller(orders), { cards: [VISA, ALSO_GOOD] }))
    await passDeadlines(orders, charge)
    await expect(resolve(charge, FAILED, { transactionId: 2 })).rejects.toMatchObject({
      reason: 'INVALID_CHARGE_STATE',
    })
  })

  test('that happened needs the acquirer’s id of the payment, and can be captured with it', async () => {
    const charge = await lostSale()
    const { paymentId } = orders.acquirer.paymentOf(charge.payments[0])
    await passDeadlines(orders, charge)
    const unnamed = resolve(charge, SUCCEEDED, first)
    await expect(unnamed).rejects.toMatchObject({
      reason: 'VALIDATION_FAILED',
      extra: { errors: [{ pointer: '#/acquirerPaymentId', code: 'REQUIRED' }] },
    })
    const done = await resolve(charge, SUCCEEDED, { ...first, acquirerPaymentId: paymentId })
    expect(done).toMatchObject({ status: ChargeStatus.AUTHORIZED, payments: [{ acquirer: { paymentId } }] })
    expect(await capture(orders, charge)).toMatchObject({ status: ChargeStatus.CAPTURED })
  })

  test('of a direct charge that happened was captured with it', async () => {
    const charge = await lostSale({ capture: true })
    await passDeadlines(orders, charge)
    const named = { ...first, acquirerPaymentId: randomUUID() }
    expect(await resolve(charge, SUCCEEDED, named)).toMatchObject({
      status: ChargeStatus.CAPTURED,
      capturedAmount: 10_000,
    })
  })
})

test('the person who closed it, and the reason, are kept with it, without card numbers', async () => {
  const charge = await lostCapture()
  await passDeadlines(orders, charge)
  await resolve(charge, FAILED, { reason: `ticket 4711 on ${VISA}`, resolvedBy: 'bruno' })
  const { rows } = await orders.pool.query(
    'SELECT id, resolution FROM transactions WHERE charge_id = $1 ORDER BY id',
    [charge.id],
  )
  const resolution = { by: 'bruno', reason: 'ticket 4711 on 411111******1111', at: expect.any(Number) }
  expect(rows).toEqual([
    { id: 1, resolution: null },
    { id: 2, resolution },
  ])
})

test('a charge of another seller, or a transaction that does not exist, is not found', async () => {
  const charge = await authorize(orders, order(await newSeller(orders)))
  await expect(resolve(charge, FAILED, { transactionId: 9 })).rejects.toMatchObject({ kind: 'not_found' })
  await expect(resolve(charge, FAILED, { sellerId: 1 })).rejects.toMatchObject({ kind: 'not_found' })
})

test.each([
  { status: TransactionStatus.PENDING },
  { reason: ' ' },
  { reason: 'x'.repeat(2_001) },
  { acquirerPaymentId: '../void' },
  { resolvedBy: ' ' },
  { resolvedBy: 'x'.repeat(101) },
])(
  'a request with another status, a bad id, or a reason or name that is missing or too long is refused: %#',
  async (changes) => {
    const charge = await authorize(orders, order(await newSeller(orders)))
    await expect(resolve(charge, FAILED, changes)).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' })
  },
)
