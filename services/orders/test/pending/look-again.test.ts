import { randomUUID } from 'node:crypto'
import { callRpc } from '@cofre/platform/grpc/client'
import { ChargeStatus, TransactionStatus, TransactionType, type Charge } from '@cofre/proto/orders/v1/orders'
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
const HOUR_MS = 60 * MINUTE_MS

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
})
afterEach(() => jest.restoreAllMocks())
afterAll(() => orders.stop())

/** A charge that failed because the acquirer did not know its sale. */
async function failedByAbsence(changes: Parameters<typeof order>[1] = {}): Promise<Charge> {
  orders.acquirer.fail('sale', 'lost_undone')
  const charge = await authorize(orders, order(await newSeller(orders), changes))
  await passDeadlines(orders, charge)
  return resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.FAILED))
}
const numberOf = (charge: Charge) => charge.payments[0]?.acquirer?.orderNumber ?? 'none'
const queriesOf = (charge: Charge) =>
  orders.acquirer.calls.filter((call) => call.endsWith(numberOf(charge))).length
/** Adds the sale of a charge to the acquirer after all. */
function approvedLate(charge: Charge, status: 1 | 2 = 1) {
  const { amount } = charge
  const payment = {
    paymentId: randomUUID(),
    tid: '',
    nsu: '',
    orderNumber: numberOf(charge),
    amount,
    status,
    returnCode: '4',
    adviceCode: undefined,
    issuerTransactionId: '',
    capturedAmount: status === 2 ? amount : 0,
    voidedAmount: 0,
    done: [],
    sale: { MerchantOrderId: numberOf(charge), Payment: {}, Customer: {} },
  }
  orders.acquirer.payments.push(payment)
  return payment
}
/** Ages a failed charge by that much time. */
const pass = ({ id }: Charge, ms: number) =>
  orders.pool.query(
    `UPDATE charges SET absent_since = absent_since - $2 * interval '1 millisecond',
       look_again_at = look_again_at - $2 * interval '1 millisecond' WHERE id = $1`,
    [id, ms],
  )
const nextLook = async ({ id }: Charge): Promise<Date | null> => {
  const { rows } = await orders.pool.query('SELECT look_again_at AS at FROM charges WHERE id = $1', [id])
  return rows[0].at
}

test('a sale unknown to the acquirer is asked about again after an hour and after a day, and no more', async () => {
  const charge = await failedByAbsence()
  const asked = queriesOf(charge)
  const looks = async (ms: number) => {
    await pass(charge, ms)
    await lookAgain(orders.deps)
    return queriesOf(charge) - asked
  }
  expect(await looks(59 * MINUTE_MS)).toBe(0)
  expect(await looks(2 * MINUTE_MS)).toBe(1)
  expect(await looks(22 * HOUR_MS)).toBe(1)
  expect(await looks(1 * HOUR_MS)).toBe(2)
  expect(await nextLook(charge)).toBeNull()
  expect((await get(orders, charge)).status).toBe(ChargeStatus.FAILED)
})

test.each([
  ['authorized', 1, false],
  ['captured', 2, true],
] as const)('a sale that turns up %s is given back, and logged', async (_name, status, direct) => {
  const charge = await failedByAbsence({ capture: direct })
  const payment = approvedLate(charge, status)
  const told = jest.spyOn(orders.deps.log, 'error')
  await pass(charge, HOUR_MS)
  await lookAgain(orders.deps)

  const violation = { chargeId: charge.id, position: 0, invariant: 'absence-lasts' }
  expect(told).toHaveBeenCalledWith(violation, 'invariant violated')
  const done = await resolved(orders, charge, ({ transactions }) =>
    expect(transactions.at(-1)).toMatchObject({
      type: TransactionType.VOID,
      status: TransactionStatus.SUCCEEDED,
    }),
  )
  expect(done.status).toBe(ChargeStatus.FAILED)
  expect([payment.status, payment.voidedAmount]).toEqual([10, 10_000])
  expect(await nextLook(charge)).toBeNull()
})

test('a look without an answer from the acquirer is taken again soon', async () => {
  const charge = await failedByAbsence()
  orders.acquirer.fail('query', 'http_500')
  await pass(charge, HOUR_MS)
  await lookAgain(orders.deps)
  expect((await nextLook(charge))?.getTime()).toBeLessThan(Date.now() + 11 * MINUTE_MS)
  const payment = approvedLate(charge)
  await pass(charge, 11 * MINUTE_MS)
  await lookAgain(orders.deps)
  await resolved(orders, charge, () => expect(payment.status).toBe(10))
})

test('after a week, a look without an answer from the acquirer is the last one', async () => {
  const charge = await failedByAbsence()
  orders.acquirer.fail('query', 'http_500')
  await pass(charge, 8 * 24 * HOUR_MS)
  await lookAgain(orders.deps)
  expect(await nextLook(charge)).toBeNull()
})

test('two sweepers at once look once', async () => {
  const charge = await failedByAbsence()
  const other = await orders.startReplica()
  const asked = queriesOf(charge)
  await pass(charge, HOUR_MS)
  await Promise.all([lookAgain(orders.deps), lookAgain(other.deps)])
  expect(queriesOf(charge)).toBe(asked + 1)
})

test('a charge closed by hand as failed is looked at again, one that provably never left is not', async () => {
  orders.acquirer.fail('sale', 'lost_undone')
  const sellerId = await newSeller(orders)
  const charge = await authorize(orders, order(sellerId))
  await passDeadlines(orders, charge)
  await callRpc(orders.admin, orders.admin.resolveTransaction, {
    sellerId,
    chargeId: charge.id,
    transactionId: 1,
    status: TransactionStatus.FAILED,
    reason: 'ticket 4711',
    acquirerPaymentId: '',
    resolvedBy: 'ana',
  })
  expect((await nextLook(charge))?.getTime()).toBeGreaterThan(Date.now())

  orders.acquirer.fail('sale', { status: 429, body: '' })
  const other = await newSeller(orders)
  await expect(authorize(orders, order(other))).rejects.toMatchObject({ kind: 'unavailable' })
  const { rows } = await orders.pool.query('SELECT status, look_again_at FROM charges WHERE seller_id = $1', [
    other,
  ])
  expect(rows).toEqual([{ status: 'FAILED', look_again_at: null }])
})
