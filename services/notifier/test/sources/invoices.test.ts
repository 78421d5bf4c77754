import { randomUUID } from 'node:crypto'
import type { LogEvent } from '@cofre/platform/events/event-log'
import { newTraceparent } from '@cofre/platform/grpc/call-context'
import { callRpc } from '@cofre/platform/grpc/client'
import { eventually } from '@cofre/testing/testing'
import { Webhook } from 'standardwebhooks'
import { InvoiceEvent } from '@cofre/proto/invoices/v1/events'
import { InvoiceStatus } from '@cofre/proto/invoices/v1/invoices'
import { PLAIN } from '../support/plain-endpoint'
import { BASE_URL, startNotifier, type Notifier } from '../support/notifier'
import { startReceiver, type Receiver } from '../support/receiver'

let notifier: Notifier
let endpoint: Receiver
let ownUrl: Receiver
beforeAll(async () => {
  notifier = await startNotifier()
  await notifier.consume()
})
afterAll(() => notifier.stop())
beforeEach(async () => {
  endpoint = await startReceiver()
  ownUrl = await startReceiver()
})
afterEach(() => Promise.all([endpoint.close(), ownUrl.close()]))

const AT = 1_767_225_600_123
let sellerId = 100
beforeEach(async () => {
  sellerId += 1
})

/** An event as the invoices service publishes it. */
function invoiceEvent(type: string, status: InvoiceStatus, sequence: number): LogEvent {
  const message = InvoiceEvent.fromPartial({
    invoice: {
      id: 77,
      sellerId,
      status,
      invoiceNumber: '000001',
      customer: { id: 5, name: 'Ana Souza', document: '12345678909' },
      amount: 10_000,
      payableAmount: 10_000,
      notificationUrl: ownUrl.url,
      publicId: '4fJz1Qm8Tn2bYw0c7Rk5Xg',
      items: [{ id: 1, productId: 1, quantity: 2, unitPriceInCents: 5_000, totalInCents: 10_000 }],
    },
    sequence,
    occurredAt: AT,
  })
  const value = JSON.stringify(InvoiceEvent.toJSON(message))
  const traceparent = newTraceparent()
  const name = type.includes('.') ? type : `invoice.${type}`
  return { id: randomUUID(), type: name, key: '77', sellerId, traceparent, value }
}

const publish = (...events: LogEvent[]) => notifier.deps.eventLog.publish('invoices.v1', events)
const register = (events: string[] = []) =>
  callRpc(notifier.client, notifier.client.createEndpoint, { sellerId, url: endpoint.url, events, ...PLAIN })
const received = (count: number) =>
  eventually(() => {
    expect(endpoint.received).toHaveLength(count)
    return endpoint.received
  })

test('an endpoint receives the invoice in an envelope, as GET shows it, each event once', async () => {
  await register()
  const created = invoiceEvent('created', InvoiceStatus.OPEN, 1)
  await publish(created, created)
  const [told] = await received(1)
  expect(told?.json).toMatchObject({
    type: 'invoice.created',
    createdAt: AT,
    sellerId,
    sequence: 1,
    resource: { kind: 'invoice', id: 77, url: `${BASE_URL}/api/v2/invoices/77` },
    data: {
      id: 77,
      status: 'OPEN',
      invoiceNumber: '000001',
      customer: { name: 'Ana Souza', email: null },
      amountInCents: 10_000,
      paymentUrl: `${BASE_URL}/checkout/4fJz1Qm8Tn2bYw0c7Rk5Xg`,
      items: [{ totalInCents: 10_000 }],
      charge: null,
    },
  })
})

test('the URL of the invoice is notified of its payment, without a body or its type; an endpoint gets the envelope', async () => {
  await register()
  await publish(
    invoiceEvent('payment_failed', InvoiceStatus.CLOSED, 1),
    invoiceEvent('paid', InvoiceStatus.PAID, 2),
  )
  const told = await received(2)
  expect(told.map(({ json }) => json)).toMatchObject([
    { type: 'invoice.payment_failed', data: { status: 'CLOSED' } },
    { type: 'invoice.paid', data: { status: 'PAID' } },
  ])
  const [paid, ...others] = await eventually(() => {
    expect(ownUrl.received).not.toEqual([])
    return ownUrl.received
  })
  expect(others).toEqual([])
  expect(paid).toMatchObject({
    body: '',
    headers: {
      'content-length': '0',
      'webhook-event': 'invoice.paid',
      'webhook-resource': `${BASE_URL}/api/v2/invoices/77`,
      'webhook-id': told[1]?.headers['webhook-id'],
    },
  })
  expect(paid?.headers).not.toHaveProperty('content-type')
  expect(told[1]?.headers).toHaveProperty('content-type', 'application/json')
  const { secret } = await callRpc(notifier.client, notifier.client.getSigningSecret, { sellerId })
  const at = new Date(Number(paid?.headers['webhook-timestamp']) * 1_000)
  const signature = new Webhook(secret).sign(String(paid?.headers['webhook-id']), at, '')
  expect(paid?.headers['webhook-signature']).toBe(signature)
})

test('the URL of the invoice gets no event but its payment', async () => {
  await register()
  await publish(
    invoiceEvent('created', InvoiceStatus.OPEN, 1),
    invoiceEvent('finalized', InvoiceStatus.CLOSED, 2),
    invoiceEvent('past_due', InvoiceStatus.CLOSED, 3),
    invoiceEvent('uncollectible', InvoiceStatus.UNCOLLECTIBLE, 4),
    invoiceEvent('voided', InvoiceStatus.CANCELLED, 5),
  )
  const told = await received(5)
  expect(told.map(({ headers }) => headers['webhook-event'])).toEqual(
    ['created', 'finalized', 'past_due', 'uncollectible', 'voided'].map((name) => `invoice.${name}`),
  )
  expect(ownUrl.received).toEqual([])
})

test('an endpoint gets the types that it asked for', async () => {
  await register(['invoice.voided'])
  await publish(
    invoiceEvent('created', InvoiceStatus.OPEN, 1),
    invoiceEvent('voided', InvoiceStatus.CANCELLED, 2),
  )
  const [told] = await received(1)
  expect(told?.json).toMatchObject({ type: 'invoice.voided', data: { status: 'CANCELLED' } })
})

test('a sale by a payment link is about its invoice, after its payment, and its URL gets nothing of it', async () => {
  await register(['payment_link.*'])
  await publish(
    invoiceEvent('paid', InvoiceStatus.PAID, 3),
    invoiceEvent('payment_link.paid', InvoiceStatus.PAID, 4),
  )
  const [told] = await received(1)
  expect(told?.json).toMatchObject({
    type: 'payment_link.paid',
    sequence: 4,
    resource: { kind: 'invoice', id: 77, url: `${BASE_URL}/api/v2/invoices/77` },
    data: { status: 'PAID' },
  })
  await eventually(() => expect(ownUrl.received).toHaveLength(1))
})
