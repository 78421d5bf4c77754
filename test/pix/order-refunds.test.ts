import { callRpc } from '@cofre/platform/grpc/client'
import { NO_ACCOUNT } from '@cofre/testing/stand-ins/accounts'
import { ChargeAction, ChargeStatus, TransactionStatus, type Charge } from '@cofre/proto/orders/v1/orders'
import { addDevolution } from '../../sandbox/src/pix/received/settle'
import { newMessageId, type Received } from '../../sandbox/src/pix/received/received'
import { settleDevolution } from '../../sandbox/src/pix/received/settle'
import { get, passDeadlines, withKey } from '../../services/orders/test/support/start-orders'
import { resolvePending } from '../../services/orders/test/support/resolve-pending'
import {
  books,
  charge,
  expire,
  nextChange,
  paid,
  startPixOrders,
  told,
  txidOf,
  type PixOrders,
} from './start-pix-orders'

const { CAPTURED, PARTIALLY_REFUNDED, REFUNDED } = ChargeStatus
const { FAILED, PENDING, SUCCEEDED } = TransactionStatus

let pix: PixOrders
beforeAll(async () => {
  pix = await startPixOrders()
})
afterAll(() => pix.stop())
afterEach(() => {
  pix.faults.clear()
  pix.bank.nextDevolutions = []
})

const captured = async () => paid(pix, await charge(pix))
const refund = ({ sellerId, id: chargeId }: Charge, amount?: number) =>
  callRpc(pix.client, pix.client.refundCharge, { sellerId, chargeId, amount, reason: undefined })
const receivedFor = (of: Charge): Received => {
  const found = pix.bank.received.all().find(({ txid }) => txid === txidOf(of))
  if (!found) throw new Error('nothing was paid')
  return found
}
const eventsOf = async (id: number) => {
  const { rows } = await pix.pool.query('SELECT type FROM outbox WHERE key = $1 ORDER BY id', [String(id)])
  return rows.map(({ type }) => type).slice(2)
}

test('a Pix is given back in parts, then whole; links follow', async () => {
  const made = await captured()
  expect(made.allowedActions).toContain(ChargeAction.REFUND)
  const asked = await refund(made, 2_345)
  // The bank takes a return before it ends it.
  expect(asked.transactions.at(-1)).toMatchObject({ status: PENDING, amount: 2_345 })
  expect(await told(pix, made)).toMatchObject({ status: PARTIALLY_REFUNDED, refundedAmount: 2_345 })
  await refund(made, 5_000)
  await refund(made)
  const all = await told(pix, made)
  expect(all).toMatchObject({ status: REFUNDED, refundedAmount: 12_345 })
  expect(all.allowedActions).not.toContain(ChargeAction.REFUND)
  expect(books(pix, made)).toEqual([{ amount: 12_345, returned: [2_345, 5_000, 5_000] }])
  expect(await eventsOf(made.id)).toEqual(['charge.refunded', 'charge.refunded', 'charge.refunded'])
})

test('more than is left is refused; a repeated key gives back once; so do two at once', async () => {
  const made = await captured()
  await expect(refund(made, 12_346)).rejects.toMatchObject({ reason: 'REFUND_EXCEEDS_CAPTURED' })
  const once = () => withKey('r', () => refund(made, 10_000))
  expect(await once()).toEqual(await once())
  const both = await Promise.allSettled([refund(made, 2_345), refund(made, 2_345)])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect((await told(pix, made)).status).toBe(REFUNDED)
  expect(books(pix, made)).toEqual([{ amount: 12_345, returned: [10_000, 2_345] }])
})

test('a return stays PENDING while the bank works on it, however long', async () => {
  const made = await captured()
  pix.bank.nextDevolutions = [{ status: 'EM_PROCESSAMENTO', times: 1 }]
  await refund(made)
  await passDeadlines(pix, made)
  await resolvePending(pix.deps)
  expect(await get(pix, made)).toMatchObject({ status: CAPTURED, refundedAmount: 0 })
  const [devolution] = receivedFor(made).devolutions
  settleDevolution(pix.bank, receivedFor(made), devolution!.id, 'DEVOLVIDO', Date.now())
  expect((await told(pix, made)).status).toBe(REFUNDED)
})

test('a return that the bank could not make FAILED, and may be asked for again', async () => {
  const made = await captured()
  pix.bank.nextDevolutions = [{ status: 'NAO_REALIZADO', times: 1 }]
  await refund(made)
  expect(await told(pix, made)).toMatchObject({
    status: CAPTURED,
    transactions: [{}, {}, { failure: { code: 'ACQUIRER_REFUSED', acquirerCode: 'NAO_REALIZADO' } }],
  })
  expect(await eventsOf(made.id)).toEqual(['charge.refund_failed'])
  await refund(made)
  expect((await told(pix, made)).status).toBe(REFUNDED)
})

test.each(['ANSWER_LOST', 'DONE_500'] as const)(
  '%s: a return is PENDING, and found by its id',
  async (fault) => {
    const made = await captured()
    nextChange(pix, fault)
    await refund(made, 5_000)
    await passDeadlines(pix, made)
    await resolvePending(pix.deps)
    expect(await get(pix, made)).toMatchObject({ status: PARTIALLY_REFUNDED, refundedAmount: 5_000 })
    expect(books(pix, made)).toEqual([{ amount: 12_345, returned: [5_000] }])
  },
)

test('a return that never reached the bank FAILED, once the bank’s silence proves it', async () => {
  const made = await captured()
  nextChange(pix, 'HTTP_500')
  await refund(made, 5_000)
  await passDeadlines(pix, made)
  await resolvePending(pix.deps)
  expect(await get(pix, made)).toMatchObject({
    status: CAPTURED,
    transactions: [{}, {}, { failure: { code: 'NOT_DONE' } }],
  })
  expect(books(pix, made)).toEqual([{ amount: 12_345, returned: [] }])
})

/** Removes the seller's account at the bank; a while later, if it says so. */
const removeAccount = (made: Charge) =>
  pix.pool.query('UPDATE payments SET pix_account = $1 WHERE charge_id = $2', [NO_ACCOUNT, made.id])
const daysPass = async ({ id }: Charge, days: number) => {
  const of = `interval '${days} days'`
  await pix.pool.query(`UPDATE transactions SET created_at = created_at - ${of} WHERE charge_id = $1`, [id])
  await pix.pool.query(`UPDATE payments SET pix_expires_at = pix_expires_at - ${of} WHERE charge_id = $1`, [
    id,
  ])
}

test('a Pix whose account at the bank is gone is not given back, and the seller is told so', async () => {
  const made = await captured()
  await removeAccount(made)
  await expect(refund(made)).rejects.toMatchObject({
    reason: 'REFUND_UNAVAILABLE',
    message: expect.stringContaining('account at the bank'),
  })
  expect(await get(pix, made)).toMatchObject({ status: CAPTURED, refundedAmount: 0 })
})

test('a return without an answer whose account is gone FAILED after a week, with an event', async () => {
  const made = await captured()
  nextChange(pix, 'HTTP_500')
  await refund(made, 5_000)
  await removeAccount(made)
  const looked = async () => {
    await passDeadlines(pix, made)
    await resolvePending(pix.deps)
    return (await get(pix, made)).transactions.at(-1)
  }
  expect(await looked()).toMatchObject({ status: PENDING })
  await daysPass(made, 7)
  expect(await looked()).toMatchObject({ status: FAILED, failure: { code: 'NO_ACCOUNT' } })
  expect(await eventsOf(made.id)).toEqual(['charge.refund_failed'])
})

test('a charge that waits for its Pix and whose account is gone ends a week after its time', async () => {
  const made = await charge(pix)
  await removeAccount(made)
  await expire(pix, made)
  expect(await told(pix, made)).toMatchObject({ status: ChargeStatus.PENDING })
  await daysPass(made, 7)
  expect(await told(pix, made)).toMatchObject({
    status: ChargeStatus.EXPIRED,
    transactions: [{ failure: { code: 'NO_ACCOUNT' } }],
  })
})

test('after 90 days a Pix is not given back', async () => {
  const made = await captured()
  await pix.pool.query(
    `UPDATE transactions SET created_at = created_at - interval '90 days 1 minute' WHERE charge_id = $1`,
    [made.id],
  )
  await expect(refund(made)).rejects.toMatchObject({
    reason: 'INVALID_CHARGE_STATE',
    message: expect.stringContaining('90 days'),
  })
})

test('what the bank gives back by itself is adopted, with an event, and only once', async () => {
  const made = await captured()
  const at = Date.now()
  const devolution = {
    id: 'MED1',
    rtrId: newMessageId('D', at),
    amount: 2_000,
    nature: 'MED_FRAUDE',
    status: 'EM_PROCESSAMENTO',
    askedAt: at,
  } as const
  addDevolution(pix.bank, receivedFor(made), devolution, 'DEVOLVIDO')
  await told(pix, made)
  const after = await told(pix, made)
  expect(after).toMatchObject({ status: PARTIALLY_REFUNDED, refundedAmount: 2_000 })
  expect(after.transactions.at(-1)).toMatchObject({ status: SUCCEEDED, madeByAcquirer: true, amount: 2_000 })
  expect(await eventsOf(made.id)).toEqual(['charge.refunded'])
  await refund(made)
  expect(await told(pix, made)).toMatchObject({ status: REFUNDED, refundedAmount: 12_345 })
})

test('money of a paid order that the bank no longer shows is a difference of the books', async () => {
  const made = await captured()
  const logged = jest.spyOn(pix.deps.log, 'error')
  pix.bank.received.save({ ...receivedFor(made), txid: undefined, amount: 1 })
  await pix.compare(made)
  expect(logged).toHaveBeenCalledWith(
    expect.objectContaining({ invariant: 'acquirer-book-agrees', chargeId: made.id }),
    'invariant violated',
  )
  jest.restoreAllMocks()
})
