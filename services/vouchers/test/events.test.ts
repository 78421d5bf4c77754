import type { EventLog, LogEvent } from '@cofre/platform/events/event-log'
import { relayOutbox } from '@cofre/platform/events/outbox'
import { VoucherPaymentEvent, VoucherTokenEvent } from '@cofre/proto/vouchers/v1/events'
import { VoucherPaymentStatus } from '@cofre/proto/vouchers/v1/vouchers'
import { newSeller, startVouchers, type TestVouchers } from './support/start-vouchers'
import { resolved } from './support/resolving'
import { cancel, CARDS, newToken, pay, paymentWith } from './support/vouchers'

let vouchers: TestVouchers
beforeAll(async () => {
  vouchers = await startVouchers()
})
afterAll(() => vouchers.stop())

/** Returns the events that the relay publishes, in order, with their topics. */
async function published(): Promise<[topic: string, event: LogEvent][]> {
  const events: [string, LogEvent][] = []
  const log: EventLog = {
    publish: async (topic, batch) =>
      void events.push(...batch.map((event) => [topic, event] as [string, LogEvent])),
    subscribe: () => Promise.reject(new Error('nobody subscribes here')),
    lag: async () => 0,
    close: async () => {},
  }
  while ((await relayOutbox(vouchers.pool, log)) > 0);
  return events
}

test('each change sends one event, in order, with the token or payment as it was then', async () => {
  const sellerId = newSeller(vouchers)
  const token = await newToken(vouchers, sellerId)
  vouchers.issuer.fail('pay', 'answer_lost')
  const pending = await pay(vouchers, paymentWith(token))
  const paid = await resolved(vouchers, pending, ({ status }) =>
    expect(status).toBe(VoucherPaymentStatus.PAID),
  )
  const canceled = await cancel(vouchers, paid)

  const told = await published()
  expect(told.map(([topic, { type, key, sellerId: seller }]) => [topic, type, key, seller])).toEqual([
    ['vouchers.v1', 'voucher_token.active', token.token, sellerId],
    ['voucher-payments.v1', 'voucher_payment.paid', String(paid.id), sellerId],
    ['voucher-payments.v1', 'voucher_payment.canceled', String(paid.id), sellerId],
  ])
  const [ofToken, ...ofPayment] = told.map(([, { value }]) => JSON.parse(value) as unknown)
  expect(VoucherTokenEvent.fromJSON(ofToken)).toEqual({
    token,
    sequence: 1,
    occurredAt: token.updatedAt,
    notificationUrl: '',
  })
  expect(ofPayment.map((event) => VoucherPaymentEvent.fromJSON(event))).toEqual([
    { payment: paid, sequence: 1, occurredAt: paid.updatedAt },
    { payment: canceled, sequence: 2, occurredAt: canceled.updatedAt },
  ])
  expect(JSON.stringify(told)).not.toContain(CARDS.ALELO)
  expect(await published()).toEqual([])
})

test('a refused payment sends no event', async () => {
  const token = await newToken(vouchers, newSeller(vouchers))
  await published()
  await expect(pay(vouchers, paymentWith(token, { installments: 2 }))).rejects.toMatchObject({
    reason: 'INSTALLMENTS_NOT_ALLOWED',
  })
  expect(await published()).toEqual([])
})
