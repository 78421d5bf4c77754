import { callRpc } from '@cofre/platform/grpc/client'
import type { LogEvent } from '@cofre/platform/events/event-log'
import { eventually } from '@cofre/testing/testing'
import { Webhook } from 'standardwebhooks'
import { chargeEvent, newChargeId } from './support/charge-event'
import { attemptsOf, deliveriesOf } from './support/deliveries'
import { BASE_URL, startNotifier, type Notifier } from './support/notifier'
import { startReceiver, type Received, type Receiver } from './support/receiver'

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

const publish = (...events: LogEvent[]) => notifier.deps.eventLog.publish('orders.v1', events)
const deliveries = (chargeId: number) => deliveriesOf(notifier.pool, chargeId)

async function verified(told: Received | undefined): Promise<unknown> {
  const { secret } = await callRpc(notifier.client, notifier.client.getSigningSecret, { sellerId: 9 })
  return new Webhook(secret).verify(told?.body ?? '', (told?.headers ?? {}) as Record<string, string>)
}

const untilConsumed = () => notifier.untilConsumed()

test('an event is delivered to the URL of its charge, signed as Standard Webhooks says', async () => {
  const chargeId = newChargeId()
  const event = chargeEvent({ chargeId, url: `${receiver.url}/hook?shop=1` })
  await publish(event)
  await eventually(async () => expect(await deliveries(chargeId)).toMatchObject([{ status: 'DELIVERED' }]))

  const [told] = receiver.received
  const webhookId = `evt_${event.id.replaceAll('-', '')}`
  const url = `${BASE_URL}/api/v2/charges/${chargeId}`
  expect(await verified(told)).toEqual({
    id: webhookId,
    type: 'charge.captured',
    createdAt: 1_767_225_600_123,
    sellerId: 9,
    sequence: 1,
    resource: { kind: 'charge', id: chargeId, url },
    data: expect.objectContaining({ id: chargeId, status: 'CAPTURED', metadata: { cart: 'ação ✓' } }),
  })
  expect(told).toMatchObject({ method: 'POST', path: '/hook?shop=1' })
  expect(told?.headers).toMatchObject({
    'webhook-id': webhookId,
    'webhook-event': 'charge.captured',
    'webhook-resource': url,
    'content-type': 'application/json',
    'user-agent': 'Cofre/1.0',
    traceparent: event.traceparent,
  })
  expect(await deliveries(chargeId)).toMatchObject([{ attempts: 1, lastStatus: 200, body: told?.body }])
  expect(await attemptsOf(notifier.pool, chargeId)).toEqual([[1, 200]])
})

test('a charge with no URL and no endpoint makes no delivery', async () => {
  const chargeId = newChargeId()
  await publish(chargeEvent({ chargeId, url: '' }))
  await untilConsumed()
  expect(await deliveries(chargeId)).toEqual([])
})

test('an event that comes twice is delivered once', async () => {
  const chargeId = newChargeId()
  const event = chargeEvent({ chargeId, url: receiver.url })
  await publish(event, event)
  await publish(event)
  await untilConsumed()
  await eventually(async () => expect(await deliveries(chargeId)).toMatchObject([{ status: 'DELIVERED' }]))
  expect(receiver.received).toHaveLength(1)
})

test('an event that cannot be read is kept for a person and holds up nothing', async () => {
  const chargeId = newChargeId()
  const good = chargeEvent({ chargeId, url: receiver.url })
  const bad = [
    '{',
    'null',
    '{}',
    good.value.replace('CAPTURED', 'INVENTED'),
    good.value.replace('http:', 'http'),
  ]
  const dead = bad.map((value) => ({ ...chargeEvent({ chargeId, url: receiver.url }), value }))
  await publish(...dead, ...dead, good)
  await eventually(() => expect(receiver.received).toHaveLength(1))

  const { rows } = await notifier.events.query('SELECT id, value FROM event_log_dead_letters')
  expect(new Set(rows)).toEqual(new Set(dead.map(({ id, value }) => ({ id, value }))))
  await eventually(async () => expect(await deliveries(chargeId)).toHaveLength(1))
})

test('events that are not about a charge are left alone', async () => {
  const event = {
    ...chargeEvent({ chargeId: newChargeId(), url: receiver.url }),
    type: 'establishment.created',
  }
  await publish({ ...event, value: '{"establishment":{}}' })
  await untilConsumed()
  const { rows } = await notifier.events.query('SELECT FROM event_log_dead_letters WHERE id = $1', [event.id])
  expect(rows).toEqual([])
})

test('a failed message is sent again with the same bytes, each attempt with its own time and signature', async () => {
  const chargeId = newChargeId()
  const answers = [500, 302, 204]
  receiver.respond((_received, response) => response.writeHead(answers.shift() ?? 500).end())
  await publish(chargeEvent({ chargeId, url: receiver.url }))
  await eventually(async () => expect(await deliveries(chargeId)).toMatchObject([{ status: 'DELIVERED' }]))

  expect(await attemptsOf(notifier.pool, chargeId)).toEqual([
    [1, 500],
    [2, 302],
    [3, 204],
  ])
  const { received } = receiver
  for (const told of received) await verified(told)
  expect(new Set(received.map(({ body }) => body)).size).toBe(1)
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})

test('after its last attempt a delivery is kept as FAILED, and the next one of its charge goes', async () => {
  const chargeId = newChargeId()
  receiver.respond(({ json }, response) => response.writeHead(json.sequence === 1 ? 500 : 200).end())
  await publish(
    chargeEvent({ chargeId, url: receiver.url, sequence: 1 }),
    chargeEvent({ chargeId, url: receiver.url, sequence: 2 }),
  )
  await eventually(async () => {
    expect(await deliveries(chargeId)).toMatchObject([
      { status: 'FAILED', attempts: 4, lastStatus: 500, nextAttemptAt: null },
      { status: 'DELIVERED', attempts: 1 },
    ])
  })
  expect(receiver.received.map(({ json }) => json.sequence)).toEqual([1, 1, 1, 1, 2])
  const { rows } = await notifier.pool.query('SELECT FROM lanes')
  expect(rows).toEqual([])
})

test('410 fails the delivery and those that wait behind it, and no other charge', async () => {
  const [gone, other] = [newChargeId(), newChargeId()]
  let release = () => {}
  receiver.respond(({ json }, response) => {
    if (json.resource.id === other) response.end()
    else release = () => response.writeHead(410).end()
  })
  await publish(chargeEvent({ chargeId: gone, url: receiver.url, sequence: 1 }))
  await eventually(() => expect(receiver.received).toHaveLength(1))
  await publish(
    chargeEvent({ chargeId: gone, url: receiver.url, sequence: 2 }),
    chargeEvent({ chargeId: other, url: receiver.url }),
  )
  await eventually(async () => expect(await deliveries(other)).toMatchObject([{ status: 'DELIVERED' }]))
  release()
  await eventually(async () => {
    expect(await deliveries(gone)).toMatchObject([
      { status: 'FAILED', attempts: 1, lastStatus: 410 },
      { status: 'FAILED', attempts: 0, lastError: 'gone' },
    ])
  })
  expect(receiver.received).toHaveLength(2)
})

test('an attempt at a forbidden address reaches nobody and is retried', async () => {
  const chargeId = newChargeId()
  await publish(chargeEvent({ chargeId, url: `http://[::1]:${receiver.port}/` }))
  await eventually(async () => expect(await deliveries(chargeId)).toMatchObject([{ status: 'FAILED' }]))
  expect(await attemptsOf(notifier.pool, chargeId)).toEqual(
    [1, 2, 3, 4].map((number) => [number, 'refused_address']),
  )
  expect(receiver.connections()).toBe(0)
})

test('a receiver on https with a certificate of the deployment’s own authority is reached', async () => {
  const secure = await startReceiver(await notifier.network.authority.issue('shop'))
  const chargeId = newChargeId()
  await publish(chargeEvent({ chargeId, url: secure.url }))
  await eventually(async () => expect(await deliveries(chargeId)).toMatchObject([{ status: 'DELIVERED' }]))
  await verified(secure.received[0])
  await secure.close()
})
