import { randomBytes, randomUUID } from 'node:crypto'
import { newTraceparent } from '@cofre/platform/grpc/call-context'
import type { LogEvent } from '@cofre/platform/events/event-log'
import { callRpc } from '@cofre/platform/grpc/client'
import { eventually } from '@cofre/testing/testing'
import { VoucherPaymentEvent, VoucherTokenEvent } from '@cofre/proto/vouchers/v1/events'
import { VoucherCardType, VoucherPaymentStatus, VoucherTokenStatus } from '@cofre/proto/vouchers/v1/vouchers'
import { Webhook } from 'standardwebhooks'
import { PLAIN } from '../support/plain-endpoint'
import { BASE_URL, startNotifier, type Notifier } from '../support/notifier'
import { startReceiver, type Receiver } from '../support/receiver'

let notifier: Notifier
let receiver: Receiver
beforeAll(async () => {
  notifier = await startNotifier()
  await notifier.consume()
})
afterAll(() => notifier.stop())
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

const AT = 1_767_225_600_123
const card = { cardType: VoucherCardType.MEAL, cardBrand: 'TICKET', lastFour: '1234' }
const newToken = () => randomBytes(32).toString('hex')
let lastSellerId = 100
/** A seller whose endpoints no other test registered. */
const newSellerId = () => (lastSellerId += 1)

function logEvent(type: string, key: string, sellerId: number, message: unknown): LogEvent {
  const value = JSON.stringify(message)
  return { id: randomUUID(), type, key, sellerId, traceparent: newTraceparent(), value }
}

type OfToken = {
  token: string
  sellerId: number
  status: VoucherTokenStatus
  reason?: string
  lastFour?: string
  cardReference?: string
}

/** An event as the vouchers service publishes it. */
function tokenEvent(type: string, told: OfToken, { url = receiver.url, sequence = 1 } = {}): LogEvent {
  const event = VoucherTokenEvent.fromPartial({
    token: { ...card, createdAt: AT, updatedAt: AT, ...told },
    sequence,
    occurredAt: AT,
    notificationUrl: url,
  })
  return logEvent(`voucher_token.${type}`, told.token, told.sellerId, VoucherTokenEvent.toJSON(event))
}

function paymentEvent(type: string, sellerId: number, status: VoucherPaymentStatus, sequence = 1): LogEvent {
  const decline = {
    code: 'INSUFFICIENT_FUNDS',
    issuerCode: '119',
    message: 'No balance.',
    retryable: true,
    advice: 'TRY_LATER',
  }
  const event = VoucherPaymentEvent.fromPartial({
    payment: {
      ...card,
      id: 7,
      sellerId,
      status,
      amount: 3_500,
      installments: 1,
      token: 'a'.repeat(64),
      orderNumber: 'V7',
      ...(status === VoucherPaymentStatus.DENIED ? { decline } : { authorizationCode: '123456' }),
      createdAt: AT,
      updatedAt: AT,
    },
    sequence,
    occurredAt: AT,
  })
  return logEvent(`voucher_payment.${type}`, '7', sellerId, VoucherPaymentEvent.toJSON(event))
}

const tokens = (...events: LogEvent[]) => notifier.deps.eventLog.publish('vouchers.v1', events)
const payments = (...events: LogEvent[]) => notifier.deps.eventLog.publish('voucher-payments.v1', events)
const register = (sellerId: number, events: string[] = []) =>
  callRpc(notifier.client, notifier.client.createEndpoint, { sellerId, url: receiver.url, events, ...PLAIN })
const received = (count: number) =>
  eventually(() => {
    expect(receiver.received).toHaveLength(count)
    return receiver.received
  })

test('the URL of the redirect receives the token and nothing around it, signed with the seller’s secret', async () => {
  const [token, sellerId] = [newToken(), newSellerId()]
  const status = VoucherTokenStatus.ACTIVE
  await tokens(tokenEvent('active', { token, sellerId, status, cardReference: 'C-1' }))
  const [told] = await received(1)
  const { secret } = await callRpc(notifier.client, notifier.client.getSigningSecret, { sellerId })
  expect(new Webhook(secret).verify(told?.body ?? '', told?.headers as Record<string, string>)).toEqual({
    status: 'ACTIVE',
    token,
    cardType: 'MEAL',
    cardBrand: 'TICKET',
    cardReference: 'C-1',
    lastFour: '1234',
    reason: null,
    createdAt: AT,
  })
  expect(told?.headers).toMatchObject({
    'webhook-event': 'voucher_token.active',
    'webhook-resource': `${BASE_URL}/api/v2/sellers/${sellerId}/vouchers/tokens/${token}`,
  })
})

test.each([
  ['denied', VoucherTokenStatus.DENIED, 'ACCESS_DENIED'],
  ['expired', VoucherTokenStatus.EXPIRED, 'AUTHORIZATION_EXPIRED'],
  ['failed', VoucherTokenStatus.FAILED, 'CARD_NOT_ELIGIBLE'],
])('the event %s comes with its reason, and unknown values are null', async (type, status, reason) => {
  await tokens(tokenEvent(type, { token: newToken(), sellerId: newSellerId(), status, reason, lastFour: '' }))
  const [told] = await received(1)
  expect(told?.json).toMatchObject({
    status: type.toUpperCase(),
    reason,
    lastFour: null,
    cardReference: null,
  })
})

test('an endpoint gets both resources in envelopes, a token made from a card number too, each once', async () => {
  const [token, sellerId] = [newToken(), newSellerId()]
  await register(sellerId)
  const made = tokenEvent('active', { token, sellerId, status: VoucherTokenStatus.ACTIVE }, { url: '' })
  await tokens(made, made)
  await received(1)
  await payments(paymentEvent('paid', sellerId, VoucherPaymentStatus.PAID))
  const [ofToken, ofPayment] = await received(2)
  expect(ofToken?.json).toMatchObject({
    type: 'voucher_token.active',
    sellerId,
    resource: { kind: 'voucher_token', id: token },
    data: { status: 'ACTIVE', token },
  })
  expect(ofPayment?.json).toMatchObject({
    type: 'voucher_payment.paid',
    createdAt: AT,
    sequence: 1,
    resource: {
      kind: 'voucher_payment',
      id: 7,
      url: `${BASE_URL}/api/v2/sellers/${sellerId}/vouchers/payments/7`,
    },
    data: { id: 7, status: 'PAID', amount: 3_500, card: { cardBrand: 'TICKET', lastFour: '1234' } },
  })
})

test('an endpoint gets the types that it asked for, in their order', async () => {
  const sellerId = newSellerId()
  await register(sellerId, ['voucher_payment.denied', 'voucher_payment.canceled'])
  await payments(
    paymentEvent('paid', sellerId, VoucherPaymentStatus.PAID, 1),
    paymentEvent('denied', sellerId, VoucherPaymentStatus.DENIED, 2),
    paymentEvent('canceled', sellerId, VoucherPaymentStatus.CANCELED, 3),
  )
  const told = await received(2)
  expect(told.map(({ json }) => json)).toMatchObject([
    { type: 'voucher_payment.denied', data: { decline: { issuerCode: '119', advice: 'TRY_LATER' } } },
    { type: 'voucher_payment.canceled', data: { status: 'CANCELED', decline: null } },
  ])
})

test('an event that can’t be read does not hold up later ones', async () => {
  const sellerId = newSellerId()
  await register(sellerId)
  const whole = paymentEvent('paid', sellerId, VoucherPaymentStatus.PAID)
  await payments({ ...whole, id: randomUUID(), value: '{"sequence":"1"}' }, whole)
  await received(1)
})
