import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import { callRpc } from '@cofre/platform/grpc/client'
import { eventually } from '@cofre/testing/testing'
import { DeliveryStatus, EndpointStatus } from '@cofre/proto/notifier/v1/notifier'
import { Webhook } from 'standardwebhooks'
import { PLAIN } from './support/plain-endpoint'
import { chargeEvent, newChargeId } from './support/charge-event'
import { BASE_URL, startNotifier, type Notifier } from './support/notifier'
import { startReceiver, type Receiver } from './support/receiver'

let notifier: Notifier
let receiver: Receiver
let lastSeller = 0
let sellerId: number
beforeAll(async () => {
  notifier = await startNotifier()
  await notifier.consume()
})
afterAll(() => notifier.stop())
beforeEach(async () => {
  receiver = await startReceiver()
  sellerId = lastSeller += 1
})
afterEach(() => receiver.close())

const client = () => notifier.client
const create = (events: string[] = [], url = `${receiver.url}/all`) =>
  callRpc(client(), client().createEndpoint, { sellerId, url, events, ...PLAIN })
const made = async (...args: Parameters<typeof create>) => {
  const { endpoint, secret } = await create(...args)
  if (!endpoint) throw new Error('no endpoint')
  return { ...endpoint, secret, target: { sellerId, endpointId: endpoint.id } }
}
const publish = (change: Partial<Parameters<typeof chargeEvent>[0]> = {}) =>
  notifier.deps.eventLog.publish('orders.v1', [
    chargeEvent({ chargeId: newChargeId(), url: '', sellerId, ...change }),
  ])
const received = (count: number, at = receiver) =>
  eventually(() => {
    expect(at.received).toHaveLength(count)
    return at.received
  })
const deliveries = async (statuses: DeliveryStatus[] = []) => {
  const page = { sellerId, statuses, eventTypes: [], page: 0, size: 100 }
  return (await callRpc(client(), client().listDeliveries, page)).deliveries
}
const untilConsumed = () => notifier.untilConsumed()

test('an endpoint gets events in an envelope signed with its own secret', async () => {
  const { id, secret, status, events } = await made()
  expect([status, events]).toEqual([EndpointStatus.ENABLED, []])
  const chargeId = newChargeId()
  await publish({ chargeId })
  const [told] = await received(1)
  expect(told?.path).toBe('/all')
  expect(new Webhook(secret).verify(told?.body ?? '', told?.headers as Record<string, string>)).toMatchObject(
    {
      id: told?.headers['webhook-id'],
      type: 'charge.captured',
      sellerId,
      sequence: 1,
      resource: { kind: 'charge', id: chargeId, url: `${BASE_URL}/api/v2/charges/${chargeId}` },
      data: { id: chargeId, status: 'CAPTURED' },
    },
  )
  const { secret: plain } = await callRpc(client(), client().getSigningSecret, { sellerId })
  expect(plain).not.toBe(secret)
  await eventually(async () =>
    expect(await deliveries()).toMatchObject([{ endpointId: id, status: DeliveryStatus.DELIVERED }]),
  )
})

test('each endpoint that asked, and the URL of the request, get an event once, with the same id', async () => {
  await made([], `${receiver.url}/one`)
  await made(['charge.captured', 'charge.denied'], `${receiver.url}/two`)
  await made(['charge.refunded'], `${receiver.url}/other`)
  const event = chargeEvent({ chargeId: newChargeId(), url: `${receiver.url}/plain`, sellerId })
  await notifier.deps.eventLog.publish('orders.v1', [event])
  await notifier.deps.eventLog.publish('orders.v1', [event])
  await untilConsumed()
  const all = await received(3)
  expect(all.map(({ path }) => path).sort()).toEqual(['/one', '/plain', '/two'])
  expect(new Set(all.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})

test('an event that nobody asked for is not stored, and no other seller gets it', async () => {
  await made()
  await publish({ sellerId: sellerId + 1_000 })
  await untilConsumed()
  expect(receiver.received).toEqual([])
  const { rows } = await notifier.pool.query('SELECT FROM deliveries WHERE seller_id = $1', [
    sellerId + 1_000,
  ])
  expect(rows).toEqual([])
})

test('410 disables an endpoint and notifies the others; its deliveries wait until it is enabled', async () => {
  const gone = await made([], `${receiver.url}/gone`)
  const other = await startReceiver()
  await made(['endpoint.disabled'], other.url)
  receiver.respond(410)
  await publish()
  const [told] = await received(1, other)
  expect(told?.json).toMatchObject({
    type: 'endpoint.disabled',
    resource: { kind: 'endpoint', id: gone.id, url: `${BASE_URL}/api/v2/webhooks/endpoints/${gone.id}` },
    data: { id: gone.id, url: `${receiver.url}/gone` },
  })
  const read = await callRpc(client(), client().getEndpoint, gone.target)
  expect(read.status).toBe(EndpointStatus.DISABLED)
  const chargeId = newChargeId()
  await publish({ chargeId })
  await publish({ chargeId, sequence: 2 })
  await untilConsumed()
  expect(await deliveries([DeliveryStatus.PENDING])).toMatchObject([{ attempts: 0 }, { attempts: 0 }])
  expect(receiver.received).toHaveLength(1)
  receiver.respond(200)
  const enabled = await callRpc(client(), client().enableEndpoint, gone.target)
  expect(enabled.status).toBe(EndpointStatus.ENABLED)
  await publish({ chargeId, sequence: 3 })
  const all = await received(4)
  expect(all.slice(1).map(({ json }) => json.sequence)).toEqual([1, 2, 3])
  await other.close()
})

test('five days of nothing but failures disable an endpoint; one success among them keeps it enabled', async () => {
  const [failing, healed] = [
    await made([], `${receiver.url}/failing`),
    await made([], `${receiver.url}/healed`),
  ]
  const other = await startReceiver()
  await made(['endpoint.disabled'], other.url)
  let isWell = false
  receiver.respond(({ path }, response) => response.writeHead(isWell && path === '/healed' ? 200 : 500).end())
  const failingSince = async () => {
    const sql =
      'SELECT failing_since IS NOT NULL AS fails FROM endpoints WHERE seller_id = $1 ORDER BY id LIMIT 2'
    return (await notifier.pool.query(sql, [sellerId])).rows.map(({ fails }) => fails)
  }
  await publish()
  await eventually(async () => expect(await failingSince()).toEqual([true, true]))
  isWell = true
  await publish()
  await eventually(async () => expect(await failingSince()).toEqual([true, false]))
  isWell = false
  await notifier.pool.query("UPDATE endpoints SET failing_since = failing_since - interval '5 days'")
  await publish()
  const [told] = await received(1, other)
  expect(told?.json).toMatchObject({ type: 'endpoint.disabled', resource: { id: failing.id } })
  for (const [{ target }, status] of [
    [failing, EndpointStatus.DISABLED],
    [healed, EndpointStatus.ENABLED],
  ] as const)
    expect(await callRpc(client(), client().getEndpoint, target)).toMatchObject({ status })
  await other.close()
})

test('a disabled endpoint gets pings and resent deliveries, and stays disabled', async () => {
  const { target } = await made()
  receiver.respond(410)
  await publish()
  await eventually(async () => expect(await deliveries([DeliveryStatus.FAILED])).toHaveLength(1))
  receiver.respond(200)
  const [failed] = await deliveries()
  await callRpc(client(), client().resendDelivery, { sellerId, deliveryId: failed?.id ?? 0 })
  await received(2)
  await callRpc(client(), client().pingEndpoint, target)
  const all = await received(3)
  expect(all.map(({ json }) => json.type)).toEqual(['charge.captured', 'charge.captured', 'test.ping'])
  const read = await callRpc(client(), client().getEndpoint, target)
  expect(read.status).toBe(EndpointStatus.DISABLED)
})

test('a recovery resends the failures since a time, and does not enable the endpoint', async () => {
  const { target, id } = await made()
  receiver.respond(410)
  await publish()
  await eventually(async () => expect(await deliveries([DeliveryStatus.FAILED])).toHaveLength(1))
  receiver.respond(200)
  const recover = (since: number) => callRpc(client(), client().recoverEndpoint, { ...target, since })
  expect(await recover(Date.now() + 60_000)).toEqual({ deliveries: 0 })
  expect(await recover(0)).toEqual({ deliveries: 1 })
  await received(2)
  await eventually(async () =>
    expect(await deliveries()).toMatchObject([{ endpointId: id, status: DeliveryStatus.DELIVERED }]),
  )
  expect(await recover(0)).toEqual({ deliveries: 0 })
  const { status } = await callRpc(client(), client().getEndpoint, target)
  expect(status).toBe(EndpointStatus.DISABLED)
})

test('a ping goes to its endpoint alone, even if that asked for other types', async () => {
  const { target, id } = await made(['charge.denied'], `${receiver.url}/pinged`)
  await made([], `${receiver.url}/other`)
  const delivery = await callRpc(client(), client().pingEndpoint, target)
  expect(delivery).toMatchObject({ eventType: 'test.ping', endpointId: id, resourceKind: 'endpoint' })
  const [told] = await received(1)
  expect([told?.path, told?.json.type]).toEqual(['/pinged', 'test.ping'])
})

test('a replaced endpoint gets its new types at its new URL, where its waiting deliveries go too', async () => {
  const { target } = await made([], `${receiver.url}/before`)
  receiver.respond(500)
  const chargeId = newChargeId()
  await publish({ chargeId })
  await received(1)
  const after = await startReceiver()
  const replaced = await callRpc(client(), client().replaceEndpoint, {
    ...target,
    url: `${after.url}/after`,
    events: ['charge.denied'],
    ...PLAIN,
  })
  expect(replaced).toMatchObject({ url: `${after.url}/after`, events: ['charge.denied'] })
  await received(1, after)
  await publish()
  await untilConsumed()
  expect(after.received).toHaveLength(1)
  await after.close()
})

test('a deleted endpoint gets nothing more: its waiting deliveries fail and are not resent', async () => {
  const { target } = await made()
  receiver.respond((_received, response) => void setTimeout(() => response.writeHead(500).end(), 100))
  await publish()
  await received(1)
  await callRpc(client(), client().deleteEndpoint, target)
  await eventually(async () =>
    expect(await deliveries()).toMatchObject([{ status: DeliveryStatus.FAILED, nextAttemptAt: undefined }]),
  )
  // Its receiver goes with its last lane.
  const left = 'SELECT FROM receivers WHERE endpoint_id = $1'
  await eventually(async () =>
    expect((await notifier.pool.query(left, [target.endpointId])).rowCount).toBe(0),
  )
  await publish()
  await untilConsumed()
  expect(await deliveries()).toHaveLength(1)
  const [failed] = await deliveries()
  const again = callRpc(client(), client().resendDelivery, { sellerId, deliveryId: failed?.id ?? 0 })
  await expect(again).rejects.toMatchObject({
    kind: 'not_found',
    message: expect.stringContaining('deleted'),
  })
  expect(await deliveries()).toEqual([failed])
  for (const rpc of [client().getEndpoint, client().deleteEndpoint]) {
    await expect(callRpc(client(), rpc, target)).rejects.toMatchObject({ kind: 'not_found' })
  }
})

test('recovering, replacing and deleting endpoints that answer 410 neither hangs nor loses a delivery', async () => {
  receiver.respond((_received, response) => void setTimeout(() => response.writeHead(410).end(), 10))
  const endpoints = await Promise.all(Array.from({ length: 4 }, (_, at) => made([], `${receiver.url}/${at}`)))
  for (let times = 0; times < 10; times++) await publish()
  await eventually(() => expect(receiver.received.length).toBeGreaterThan(4))
  const asked = endpoints.flatMap(({ target, url }) => [
    callRpc(client(), client().recoverEndpoint, { ...target, since: 0 }),
    callRpc(client(), client().replaceEndpoint, { ...target, url, events: [], ...PLAIN }),
    callRpc(client(), client().deleteEndpoint, target),
  ])
  const failures = (await Promise.allSettled(asked)).flatMap((each) =>
    each.status === 'rejected' ? [each.reason.kind] : [],
  )
  expect(failures.filter((kind) => kind !== 'not_found')).toEqual([])
  await eventually(async () => expect(await deliveries([DeliveryStatus.PENDING])).toEqual([]))
})

test('after a rotation both secrets sign', async () => {
  const { target, secret } = await made()
  const { secret: next } = await callRpc(client(), client().rotateEndpointSecret, target)
  await publish()
  const [told] = await received(1)
  for (const each of [secret, next]) {
    expect(() =>
      new Webhook(each).verify(told?.body ?? '', told?.headers as Record<string, string>),
    ).not.toThrow()
  }
})

test('creating and rotating are done once for each Idempotency-Key, and the kept answer is sealed', async () => {
  const keyed = <T>(key: string, work: () => Promise<T>) => {
    const idempotency = { key, method: 'POST', path: `/${sellerId}`, fingerprint: 'f' }
    return runCall({ ...newCall({ timeoutMs: 10_000 }), idempotency }, work)
  }
  const first = await keyed('create', () => create())
  expect(await keyed('create', () => create())).toEqual(first)
  const target = { sellerId, endpointId: first.endpoint?.id ?? 0 }
  const rotate = () => callRpc(client(), client().rotateEndpointSecret, target)
  const rotated = await keyed('rotate', rotate)
  expect(await keyed('rotate', rotate)).toEqual(rotated)
  const { rows } = await notifier.pool.query('SELECT response FROM idempotency WHERE seller_id = $1', [
    sellerId,
  ])
  for (const { response } of rows) expect(response.toString('latin1')).not.toContain('whsec_')
  const page = await callRpc(client(), client().listEndpoints, { sellerId, page: 0, size: 10 })
  expect(page).toEqual({ endpoints: [first.endpoint], total: 1, more: false })
})
