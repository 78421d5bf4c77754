import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import { callRpc } from '@cofre/platform/grpc/client'
import { createPool } from '@cofre/platform/postgres/postgres'
import { whileHeld } from '@cofre/testing/lock-waits'
import { eventually, PATIENT } from '@cofre/testing/testing'
import { IdempotencyClient, RequestState } from '@cofre/proto/idempotency/v1/idempotency'
import { VoucherPayment, VoucherPaymentStatus } from '@cofre/proto/vouchers/v1/vouchers'
import { createPayment } from '../src/rpc/create-payment'
import { newSeller, startVouchers, type TestVouchers } from './support/start-vouchers'
import { eventsOf, passDeadlines, resolved } from './support/resolving'
import { cancel, DECLINED, get, newToken, pay, paymentWith, withKey, type Brand } from './support/vouchers'

let vouchers: TestVouchers
let idempotency: IdempotencyClient
beforeAll(async () => {
  vouchers = await startVouchers()
  vouchers.issuer.declines.set('0002', '05')
  idempotency = await vouchers.network.clientOf(IdempotencyClient, vouchers.address, 'gateway')
})
afterAll(() => vouchers.stop())

const { PENDING, PAID, DENIED, CANCELED } = VoucherPaymentStatus
const request = async (brand: Brand = 'ALELO', number?: string) =>
  paymentWith(await newToken(vouchers, newSeller(vouchers), brand, number))

/**
 * Runs a request in a replica that loses its database for good while the issuer holds the call. Only the data saved
 * before is left of it.
 */
async function interrupted(
  call: 'pay' | 'cancel',
  fault: 'hang' | 'hang_undone' | 'late',
  work: (replica: Pick<TestVouchers, 'client'>) => Promise<unknown>,
): Promise<void> {
  const pool = createPool({ url: vouchers.url, max: 2, name: 'doomed', ...PATIENT }, () => {})
  const replica = await vouchers.startReplica(pool)
  vouchers.issuer.fail(call, fault)
  const ended = work(replica).catch((error: unknown) => error)
  await vouchers.issuer.whenHeld()
  await pool.end()
  vouchers.issuer.release()
  expect(await ended).toBeInstanceOf(Error)
}

const find = (sellerId: number, key: string) =>
  callRpc(idempotency, idempotency.findRequest, { sellerId, key })

async function newest(sellerId: number): Promise<VoucherPayment> {
  const { rows } = await vouchers.pool.query(
    'SELECT id FROM payments WHERE seller_id = $1 ORDER BY id DESC LIMIT 1',
    [sellerId],
  )
  return get(vouchers, { id: rows[0].id, sellerId })
}

test.each([
  ['cut', 'hang', 'ALELO'],
  ['heard', 'late', 'ALELO'],
  ['cut', 'hang', 'VR'],
] as const)(
  'after an approval whose answer is %s (%s, %s), the sweeper adopts the payment and answers its key',
  async (_name, fault, brand) => {
    const asked = await request(brand)
    const { sellerId } = asked
    await interrupted('pay', fault, (replica) => withKey('dies', () => pay(replica, asked)))
    const left = await newest(sellerId)
    expect(left.status).toBe(PENDING)
    expect((await find(sellerId, 'dies')).state).toBe(RequestState.IN_FLIGHT)
    await expect(withKey('dies', () => pay(vouchers, asked))).rejects.toMatchObject({
      kind: 'conflict',
      reason: 'IDEMPOTENCY_KEY_IN_USE',
    })
    const done = await resolved(vouchers, left, ({ status }) => expect(status).toBe(PAID))
    const kept = await find(sellerId, 'dies')
    expect(kept.state).toBe(RequestState.DONE)
    expect(VoucherPayment.decode(kept.response)).toEqual(done)
    expect(await withKey('dies', () => pay(vouchers, asked))).toEqual(done)
    expect(vouchers.issuer.ofOrder(done.orderNumber)).toHaveLength(1)
    expect(await eventsOf(vouchers, done.id)).toEqual(['voucher_payment.paid'])
  },
)

test('after a decline, the sweeper answers the key with it', async () => {
  const asked = await request('VR', DECLINED.VR)
  vouchers.issuer.declines.set('0002', '116')
  await interrupted('pay', 'hang', (replica) => withKey('denied', () => pay(replica, asked)))
  const left = await newest(asked.sellerId)
  const done = await resolved(vouchers, left, ({ status }) => expect(status).toBe(DENIED))
  expect(done.decline).toMatchObject({ code: 'INSUFFICIENT_FUNDS', issuerCode: '116' })
  expect(await withKey('denied', () => pay(vouchers, asked))).toEqual(done)
})

test('a payment that was cut off before it reached the issuer is denied, and its key is free', async () => {
  const asked = await request()
  await interrupted('pay', 'hang_undone', (replica) => withKey('lost', () => pay(replica, asked)))
  const left = await newest(asked.sellerId)
  await passDeadlines(vouchers, left)
  const denied = await resolved(vouchers, left, ({ status }) => expect(status).toBe(DENIED))
  expect(denied.decline).toMatchObject({ code: 'NOT_PROCESSED', issuerCode: '', retryable: true })
  await expect(find(asked.sellerId, 'lost')).rejects.toMatchObject({ kind: 'not_found' })
  expect(await withKey('lost', () => pay(vouchers, asked))).toMatchObject({ status: PAID })
})

test.each(['hang', 'hang_undone'] as const)(
  'an interrupted cancellation (%s) is resolved, and its key with it',
  async (fault) => {
    const payment = await pay(vouchers, await request())
    await interrupted('cancel', fault, (replica) => withKey('cancel', () => cancel(replica, payment)))
    expect(await get(vouchers, payment)).toMatchObject({ status: PAID, cancellationPending: true })
    if (fault === 'hang_undone') await passDeadlines(vouchers, payment)
    await resolved(vouchers, payment, ({ cancellationPending }) => expect(cancellationPending).toBe(false))
    const again = await withKey('cancel', () => cancel(vouchers, payment))
    expect(again.status).toBe(CANCELED)
    expect(vouchers.issuer.paymentOf(payment).cancellations).toHaveLength(1)
  },
)

test('a cancellation that waits for the database past its deadline is never sent', async () => {
  const payment = await pay(vouchers, await request())
  const issuerTimeoutMs = 200
  const hurried = await vouchers.startReplica(undefined, { issuerTimeoutMs })
  const hold = 'SELECT FROM payments WHERE id = $1 FOR UPDATE'
  const [late] = await whileHeld(vouchers.pool, [hold, [payment.id]], async () => {
    const waiting = withKey('late', () => cancel(hurried, payment)).catch((error: unknown) => error)
    await eventually(async () => {
      const { rowCount } = await vouchers.pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
         AND query_start < clock_timestamp() - $1 * interval '1 millisecond'`,
        [issuerTimeoutMs],
      )
      expect(rowCount).toBe(1)
    })
    return [waiting]
  })
  expect(await late).toMatchObject({ kind: 'unavailable' })
  expect(vouchers.issuer.paymentOf(payment).state).toBe('approved')
  expect(await withKey('late', () => cancel(vouchers, payment))).toMatchObject({ status: CANCELED })
})

test('a request whose caller is about to give up sends nothing', async () => {
  const asked = await request()
  // The account is looked up before, so that the time is spent on nothing else.
  await vouchers.deps.accounts.find(asked.sellerId, 'alelo')
  // Not over gRPC: on a busy machine the caller would give up before its request is read.
  const inTime = newCall({ timeoutMs: 900 })
  const refused = runCall(inTime, () => createPayment(vouchers.deps, asked))
  await expect(refused).rejects.toMatchObject({ kind: 'unavailable' })
  const { status, orderNumber } = await newest(asked.sellerId)
  expect([status, vouchers.issuer.ofOrder(orderNumber)]).toEqual([DENIED, []])
})
