import { randomUUID } from 'node:crypto'
import { eventually } from '@cofre/testing/testing'
import { ChargeStatus, TransactionStatus, type Charge } from '@cofre/proto/orders/v1/orders'
import { readCharge } from '../src/charge-store/charge-store'
import { resolveOutcome } from '../src/charge/resolve-outcome'
import { resolvePending } from './support/resolve-pending'
import { authorize, capture, order, refund } from './support/orders'
import type { AcquirerPayment } from './support/small-acquirer'
import { get, newSeller, passDeadlines, resolved, startOrders, type TestOrders } from './support/start-orders'

// No test takes that long.
const GRACE_MS = 120_000

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders({ absenceGraceMs: GRACE_MS })
})
afterAll(() => orders.stop())

const atAcquirer = (charge: Charge) => orders.acquirer.paymentOf(charge.payments[0])
const pending = async (changes: Parameters<typeof order>[1] = {}) => {
  orders.acquirer.fail('sale', 'answer_lost')
  return authorize(orders, order(await newSeller(orders), changes))
}
const eventsOf = async ({ id }: Charge) => {
  const { rows } = await orders.pool.query('SELECT type FROM outbox WHERE key = $1 ORDER BY id', [String(id)])
  return rows.map(({ type }) => type)
}

test.each([
  [3, ChargeStatus.DENIED, 'charge.denied'],
  [13, ChargeStatus.FAILED, 'charge.failed'],
  [10, ChargeStatus.FAILED, 'charge.failed'],
  [1, ChargeStatus.AUTHORIZED, 'charge.authorized'],
])('an authorization found in status %i becomes %s', async (status, wanted, event) => {
  const charge = await pending()
  Object.assign(atAcquirer(charge), { status, returnCode: '51' })
  await resolved(orders, charge, (current) => expect(current.status).toBe(wanted))
  expect(await eventsOf(charge)).toEqual(['charge.pending', event])
})

test('a direct charge found captured is captured; one found only authorized waits for its capture', async () => {
  const taken = await pending({ capture: true })
  await resolved(orders, taken, ({ status }) => expect(status).toBe(ChargeStatus.CAPTURED))
  const held = await pending({ capture: true })
  Object.assign(atAcquirer(held), { status: 1, capturedAmount: 0 })
  await resolved(orders, held, ({ status }) => expect(status).toBe(ChargeStatus.AUTHORIZED))
  expect(await capture(orders, held)).toMatchObject({ status: ChargeStatus.CAPTURED })
})

test('a sale on which the acquirer has not decided stays pending', async () => {
  const charge = await pending()
  const payment = atAcquirer(charge)
  payment.status = 12
  const asked = () => orders.acquirer.calls.filter((call) => call.includes(payment.paymentId)).length
  await resolved(orders, charge, () => expect(asked()).toBeGreaterThan(5))
  expect((await get(orders, charge)).status).toBe(ChargeStatus.PENDING)
  payment.status = 1
  await resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.AUTHORIZED))
})

describe('when the acquirer has several payments under one order number', () => {
  const another = (charge: Charge, changes: Partial<AcquirerPayment>) => {
    const payment = { ...atAcquirer(charge), paymentId: randomUUID(), ...changes }
    orders.acquirer.payments.push(payment)
    return payment
  }
  const asked = (charge: Charge) =>
    orders.acquirer.calls.filter((call) => call.endsWith(numberOf(charge))).length

  test('and two of them hold money, neither is taken for ours', async () => {
    const charge = await pending()
    const other = another(charge, {})
    await resolved(orders, charge, () => expect(asked(charge)).toBeGreaterThan(3))
    expect((await get(orders, charge)).status).toBe(ChargeStatus.PENDING)
    other.status = 10
    await resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.AUTHORIZED))
  })

  test('and one is not decided, a declined one proves nothing', async () => {
    const charge = await pending()
    const undecided = another(charge, { status: 12 })
    const [first] = orders.acquirer.ofOrder(numberOf(charge))
    Object.assign(first ?? {}, { status: 3, returnCode: '51' })
    await resolved(orders, charge, () => expect(asked(charge)).toBeGreaterThan(3))
    expect((await get(orders, charge)).status).toBe(ChargeStatus.PENDING)
    undecided.status = 1
    const done = await resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.AUTHORIZED))
    expect(done.payments[0]?.acquirer?.paymentId).toBe(undecided.paymentId)
  })
})

test('an operation on a payment that the acquirer does not know is logged, once it can no longer leave', async () => {
  const made = await authorize(orders, order(await newSeller(orders)))
  orders.acquirer.fail('capture', 'answer_lost')
  await capture(orders, made)
  const { charge } = await readCharge(orders.pool, { sellerId: made.sellerId, id: made.id })
  const found = new Map([[0, { result: 'absent' as const }]])
  const deadline = charge.transactions.at(-1)?.dispatchDeadline ?? 0
  const resolvedAt = (askedAt: number) =>
    resolveOutcome(charge, { found, askedAt, graceMs: GRACE_MS, unsureMs: 0 })

  expect(resolvedAt(deadline + GRACE_MS)).toEqual({ decision: undefined, unexplained: [] })
  expect(resolvedAt(deadline + GRACE_MS + 1)).toEqual({ decision: undefined, unexplained: [0] })
})

test('a sale of another amount under our order number is not ours', async () => {
  const charge = await pending()
  const payment = atAcquirer(charge)
  const { amount } = payment
  payment.amount = amount + 1
  const asked = () => orders.acquirer.calls.filter((call) => call.includes(payment.paymentId)).length
  await resolved(orders, charge, () => expect(asked()).toBeGreaterThan(3))
  expect((await get(orders, charge)).status).toBe(ChargeStatus.PENDING)
  payment.amount = amount
  await resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.AUTHORIZED))
})

test('absence proves nothing until the call can no longer arrive', async () => {
  orders.acquirer.fail('sale', 'lost_undone')
  const charge = await authorize(orders, order(await newSeller(orders)))
  const asked = () => orders.acquirer.calls.filter((call) => call.endsWith(numberOf(charge))).length
  const stillPending = async () => {
    const before = asked()
    await resolved(orders, charge, () => expect(asked()).toBeGreaterThan(before + 2))
    expect((await get(orders, charge)).status).toBe(ChargeStatus.PENDING)
  }
  await stillPending()
  await passDeadlines(orders, charge, 1_000)
  await stillPending()
  await passDeadlines(orders, charge, GRACE_MS + 1_000)
  await resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.FAILED))
})

test('failed queries are repeated', async () => {
  const charge = await pending()
  orders.acquirer.fail('query', 'http_500', 'answer_lost', { status: 200, body: 'garbage' })
  await resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.AUTHORIZED))
})

test('two sweepers at once ask about a charge once', async () => {
  const charge = await pending()
  const other = await orders.startReplica()
  await orders.pool.query('UPDATE charges SET ask_at = created_at WHERE id = $1', [charge.id])
  await Promise.all([resolvePending(orders.deps), resolvePending(other.deps)])
  const asked = orders.acquirer.calls.filter((call) => call.endsWith(numberOf(charge)))
  expect(asked).toHaveLength(1)
  expect((await get(orders, charge)).status).toBe(ChargeStatus.AUTHORIZED)
})

test('an answer that comes after the sweeper has resolved changes nothing', async () => {
  orders.acquirer.fail('sale', 'hang')
  const sellerId = await newSeller(orders)
  const waiting = authorize(orders, order(sellerId))
  const { rows } = await eventually(async () => {
    const found = await orders.pool.query('SELECT id FROM charges WHERE seller_id = $1', [sellerId])
    expect(found.rowCount).toBe(1)
    return found
  })
  const charge = { id: rows[0].id, sellerId } as Charge
  await resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.AUTHORIZED))
  orders.acquirer.release()
  expect((await waiting).status).toBe(ChargeStatus.AUTHORIZED)
  expect(await eventsOf(charge)).toEqual(['charge.authorized'])
})

test('an acquirer that undoes an authorization by itself during its capture voids the charge', async () => {
  const charge = await authorize(orders, order(await newSeller(orders)))
  orders.acquirer.fail('capture', 'lost_undone')
  await capture(orders, charge)
  atAcquirer(charge).status = 10
  const done = await resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.VOIDED))
  expect(done.transactions.at(-1)?.status).toBe(TransactionStatus.FAILED)
})

test('a void that the acquirer calls impossible is asked about', async () => {
  const charge = await authorize(orders, order(await newSeller(orders)))
  atAcquirer(charge).status = 10
  expect((await refund(orders, charge)).transactions.at(-1)?.status).toBe(TransactionStatus.PENDING)
  await resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.VOIDED))
})

function numberOf(charge: Charge): string {
  return charge.payments[0]?.acquirer?.orderNumber ?? 'none'
}
