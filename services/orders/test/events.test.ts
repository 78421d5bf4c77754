import type { EventLog, LogEvent } from '@cofre/platform/events/event-log'
import { relayOutbox } from '@cofre/platform/events/outbox'
import { ChargeEvent } from '@cofre/proto/orders/v1/events'
import { ChargeStatus } from '@cofre/proto/orders/v1/orders'
import { authorize, capture, order, refund } from './support/orders'
import { newSeller, resolved, startOrders, type TestOrders } from './support/start-orders'

let orders: TestOrders
beforeAll(async () => {
  orders = await startOrders()
})
afterAll(() => orders.stop())

/** The events that the relay publishes, in order. */
async function published(): Promise<LogEvent[]> {
  const events: LogEvent[] = []
  const log: EventLog = {
    publish: async (topic, batch) => {
      expect(topic).toBe('orders.v1')
      events.push(...batch)
    },
    subscribe: () => Promise.reject(new Error('nobody subscribes here')),
    lag: async () => 0,
    close: async () => {},
  }
  while ((await relayOutbox(orders.pool, log)) > 0);
  return events
}

test('each change sends one event, in order, with the charge as it was then', async () => {
  const sellerId = await newSeller(orders)
  orders.acquirer.fail('sale', 'answer_lost')
  const notificationUrl = 'https://seller.example/hook'
  const charge = await authorize(orders, order(sellerId, { notificationUrl, metadata: { cart: '77' } }))
  await resolved(orders, charge, ({ status }) => expect(status).toBe(ChargeStatus.AUTHORIZED))
  await capture(orders, charge, 8_000)
  await refund(orders, charge, 3_000)
  await refund(orders, charge, 1_000)
  await refund(orders, charge)

  const told = await published()
  const events = told.map(({ value }) => ChargeEvent.fromJSON(JSON.parse(value)))
  expect(told.map(({ type }) => type)).toEqual([
    'charge.pending',
    'charge.authorized',
    'charge.captured',
    'charge.refunded',
    'charge.refunded',
    'charge.refunded',
  ])
  expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6])
  expect(events.map((event) => event.charge?.refundedAmount)).toEqual([0, 0, 0, 3_000, 4_000, 8_000])
  expect(events.map((event) => event.charge?.status)).toEqual([
    ChargeStatus.PENDING,
    ChargeStatus.AUTHORIZED,
    ChargeStatus.PARTIALLY_CAPTURED,
    ChargeStatus.PARTIALLY_REFUNDED,
    ChargeStatus.PARTIALLY_REFUNDED,
    ChargeStatus.REFUNDED,
  ])
  for (const { key, sellerId: told_ } of told) expect([key, told_]).toEqual([String(charge.id), sellerId])
  for (const event of events) {
    expect(event.notificationUrl).toBe(notificationUrl)
    expect(event.charge?.metadata).toEqual({ cart: '77' })
  }
  expect(await published()).toEqual([])
})

test('a refused request sends no event', async () => {
  const charge = await authorize(orders, order(await newSeller(orders)))
  await published()
  await expect(capture(orders, charge, 10_001)).rejects.toMatchObject({ kind: 'failed_precondition' })
  await expect(refund(orders, charge, 1)).rejects.toMatchObject({ kind: 'failed_precondition' })
  expect(await published()).toEqual([])
})
