import { callRpc } from '@cofre/platform/grpc/client'
import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import { whenWaiting, whileHeld } from '@cofre/testing/lock-waits'
import { eventually } from '@cofre/testing/testing'
import type { Listener } from '@cofre/proto/notifier/v1/notifier'
import { Webhook } from 'standardwebhooks'
import { forgetListeners } from '../../src/listeners/listener-store'
import { openWaiting } from '../../src/listeners/waiting'
import { chargeEvent, newChargeId } from '../support/charge-event'
import { startNotifier, type Notifier } from '../support/notifier'
import { PLAIN } from '../support/plain-endpoint'
import { startReceiver } from '../support/receiver'

let notifier: Notifier
let sellerId = 0
beforeAll(async () => {
  notifier = await startNotifier()
  await notifier.consume()
})
afterAll(() => notifier.stop())
beforeEach(() => {
  sellerId += 1
})

const client = () => notifier.client
const listen = (events: string[] = []) => callRpc(client(), client().createListener, { sellerId, events })
const read = async ({ id }: Listener, after = 0, waitMs = 0, size = 100) => {
  const request = { sellerId, listenerId: id, after, size, waitMs }
  return (await callRpc(client(), client().readListener, request)).events
}
const publish = (type = 'charge.captured', chargeId = newChargeId(), sequence = 1) =>
  notifier.deps.eventLog.publish('orders.v1', [chargeEvent({ chargeId, url: '', sellerId, type, sequence })])

test('a listener reads later events as an endpoint gets them, signed with its own secret', async () => {
  await publish()
  const receiver = await startReceiver()
  const endpoint = { sellerId, url: receiver.url, events: [], ...PLAIN }
  await callRpc(client(), client().createEndpoint, endpoint)
  await publish()
  await eventually(() => expect(receiver.received).toHaveLength(1))
  const listener = await listen()
  await publish()
  const [event, ...more] = await read(listener, 0, 10_000)
  expect([event?.number, more]).toEqual([1, []])
  if (!event) throw new Error('nothing was read')
  const { body, headers } = event
  expect(new Webhook(listener.secret).verify(body, headers)).toMatchObject({
    type: 'charge.captured',
    sellerId,
  })
  const told = await eventually(() => {
    expect(receiver.received).toHaveLength(2)
    return receiver.received[1]
  })
  expect(told?.body).toBe(body)
  expect(told?.headers).toMatchObject({
    'webhook-id': headers['webhook-id'],
    'webhook-event': headers['webhook-event'],
    'webhook-resource': headers['webhook-resource'],
  })
  await receiver.close()
})

test('a listener reads the types that it asked for, by name or by prefix, and no other seller’s events', async () => {
  const listener = await listen(['charge.*'])
  expect(listener.events).toEqual(['charge.*'])
  const other = await listen(['charge.refunded'])
  const { seller, all } = { seller: sellerId, all: await listen() }
  sellerId += 1_000
  await publish()
  sellerId = seller
  await publish('charge.captured')
  await publish('charge.refunded')
  await eventually(async () => expect(await read(all)).toHaveLength(2))
  expect((await read(listener)).map(({ eventType }) => eventType)).toEqual([
    'charge.captured',
    'charge.refunded',
  ])
  expect((await read(other)).map(({ number, eventType }) => [number, eventType])).toEqual([
    [1, 'charge.refunded'],
  ])
})

test('a reader that returns with the number of its last event reads all later ones, in order, once', async () => {
  const [listener, chargeId] = [await listen(), newChargeId()]
  const most = 40
  const publishing = (async () => {
    for (let sequence = 1; sequence <= most; sequence++) await publish('charge.captured', chargeId, sequence)
  })()
  const seen: number[] = []
  let after = 0
  await eventually(async () => {
    for (const { number, body } of await read(listener, after, 0, 7)) {
      seen.push(JSON.parse(body).sequence)
      after = number
    }
    expect(seen.length).toBeGreaterThanOrEqual(most)
  })
  await publishing
  expect(seen).toEqual(Array.from({ length: most }, (_, at) => at + 1))
})

test('an event that is taken twice is kept once', async () => {
  const listener = await listen()
  const event = chargeEvent({ chargeId: newChargeId(), url: '', sellerId })
  await notifier.deps.eventLog.publish('orders.v1', [event])
  await notifier.deps.eventLog.publish('orders.v1', [event])
  await publish()
  await eventually(async () => expect((await read(listener)).length).toBeGreaterThanOrEqual(2))
  expect(await read(listener)).toHaveLength(2)
})

test('a seller has at most five listeners; one that is unread for a minute makes way', async () => {
  const first = await listen()
  for (let more = 1; more < 5; more++) await listen()
  await expect(listen()).rejects.toMatchObject({ reason: 'LISTENER_LIMIT_REACHED' })
  await notifier.pool.query("UPDATE listeners SET read_at = now() - interval '2 minutes' WHERE id = $1", [
    first.id,
  ])
  await listen()
  await expect(read(first)).rejects.toMatchObject({ kind: 'not_found' })
})

test('another seller’s listener is not found, nor is a deleted one', async () => {
  const listener = await listen()
  const target = { sellerId, listenerId: listener.id }
  const theirs = { ...target, sellerId: sellerId + 1_000 }
  await expect(callRpc(client(), client().deleteListener, theirs)).rejects.toMatchObject({
    kind: 'not_found',
  })
  sellerId += 1_000
  await expect(read(listener)).rejects.toMatchObject({ kind: 'not_found' })
  sellerId -= 1_000
  await callRpc(client(), client().deleteListener, target)
  await expect(read(listener)).rejects.toMatchObject({ kind: 'not_found' })
})

test('a listener that is read just when it would be forgotten stays', async () => {
  const listener = await listen()
  const { pool } = notifier
  await pool.query("UPDATE listeners SET read_at = now() - interval '25 hours' WHERE id = $1", [listener.id])
  const again: [string, unknown[]] = ['UPDATE listeners SET read_at = now() WHERE id = $1', [listener.id]]
  const { forgotten } = await whileHeld(pool, again, async () => {
    const forgetting = forgetListeners(pool)
    await whenWaiting(pool, 1)
    return { forgotten: forgetting }
  })
  await forgotten
  expect(await read(listener)).toEqual([])
})

test('events are forgotten after a day, as is a listener that is unread for a day', async () => {
  const [kept, left] = [await listen(), await listen()]
  await publish()
  await eventually(async () => expect(await read(kept)).toHaveLength(1))
  await notifier.pool.query("UPDATE listener_events SET created_at = now() - interval '25 hours'")
  await notifier.pool.query("UPDATE listeners SET read_at = now() - interval '25 hours' WHERE id = $1", [
    left.id,
  ])
  await eventually(async () => expect(await forgetListeners(notifier.pool)).toBe(0))
  expect(await read(kept)).toEqual([])
  await expect(read(left)).rejects.toMatchObject({ kind: 'not_found' })
  await publish()
  expect(await read(kept, 1, 10_000)).toMatchObject([{ number: 2 }])
})

test('a listener’s secret is sealed at rest and is made once for each Idempotency-Key', async () => {
  const idempotency = { key: 'one', method: 'POST', path: '/listeners', fingerprint: 'f' }
  const once = () => runCall({ ...newCall({ timeoutMs: 10_000 }), idempotency }, () => listen())
  const first = await once()
  expect(await once()).toEqual(first)
  const { rows } = await notifier.pool.query('SELECT sealed FROM listeners WHERE seller_id = $1', [sellerId])
  expect(rows).toHaveLength(1)
  expect(rows[0].sealed.toString('latin1')).not.toContain('whsec_')
})

test('few readers wait at once, for a seller and in all; others are answered at once', async () => {
  const waiting = openWaiting(1, 2)
  let found: string[] = []
  const look = async () => found
  const endsAt = Date.now() + 60_000
  const [one, other] = [waiting.until(1, endsAt, look), waiting.until(2, endsAt, look)]
  // Both have looked once.
  await new Promise(setImmediate)
  expect(await waiting.until(1, endsAt, look)).toEqual([])
  expect(await waiting.until(3, endsAt, look)).toEqual([])
  found = ['event']
  expect(await Promise.all([one, other])).toEqual([['event'], ['event']])
  found = []
  const begun = Date.now()
  expect(await waiting.until(1, begun + 100, look)).toEqual([])
  expect(Date.now() - begun).toBeGreaterThanOrEqual(99)
})
