import { callRpc } from '@cofre/platform/grpc/client'
import { DeliveryStatus } from '@cofre/proto/notifier/v1/notifier'
import { eventually } from '@cofre/testing/testing'
import { PLAIN } from './support/plain-endpoint'
import { newChargeId } from './support/charge-event'
import { startNotifier, type Notifier } from './support/notifier'
import { startReceiver, type Receiver } from './support/receiver'
import { storeWaiting } from './support/waiting'

// More than one batch of every kind.
const MANY = 600

let notifier: Notifier
let receiver: Receiver
let lastSeller = 0
let sellerId: number
beforeAll(async () => {
  notifier = await startNotifier(({ delivery }) => ({
    delivery: { ...delivery, retryScheduleSeconds: [3_600, 3_600] },
  }))
  await notifier.consume()
})
afterAll(() => notifier.stop())
beforeEach(async () => {
  receiver = await startReceiver()
  sellerId = lastSeller += 1
})
afterEach(() => receiver.close())

const client = () => notifier.client
async function endpointAt(url: string) {
  const { endpoint } = await callRpc(client(), client().createEndpoint, {
    sellerId,
    url,
    events: [],
    ...PLAIN,
  })
  return { sellerId, endpointId: endpoint?.id ?? 0 }
}
const count = async (sql: string, values: unknown[]) =>
  (await notifier.pool.query<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`, values)).rows[0]?.n
const waiting = (endpointId: number) =>
  storeWaiting(notifier.pool, { sellerId, endpointId, url: receiver.url, count: MANY })

/** Locks every waiting delivery of an endpoint and its lane, as a writer does. Returns the release. */
async function holdAll(endpointId: number): Promise<() => Promise<void>> {
  const tx = await notifier.pool.connect()
  await tx.query('BEGIN')
  const held = `FROM deliveries d JOIN lanes l ON l.id = d.lane WHERE d.endpoint_id = $1`
  await tx.query(`SELECT ${held} FOR UPDATE`, [endpointId])
  return async () => {
    await tx.query('ROLLBACK')
    tx.release()
  }
}

test('an endpoint whose deliveries are all locked is changed at once, and they go to its new URL', async () => {
  const target = await endpointAt(receiver.url)
  await waiting(target.endpointId)
  const letGo = await holdAll(target.endpointId)
  const after = await startReceiver()
  const change = { ...target, url: `${after.url}/after`, events: [], ...PLAIN }
  try {
    const replaced = await callRpc(client(), client().replaceEndpoint, change)
    expect(replaced.url).toBe(`${after.url}/after`)
  } finally {
    await letGo()
  }
  const page = { sellerId, statuses: [], eventTypes: [], page: 0, size: 1, after: undefined }
  const { deliveries } = await callRpc(client(), client().listDeliveries, page)
  expect(deliveries[0]?.url).toBe(`${after.url}/after`)
  await after.close()
})

test('an endpoint whose deliveries are all locked is deleted at once, and each of them fails in the end', async () => {
  const target = await endpointAt(receiver.url)
  await waiting(target.endpointId)
  const letGo = await holdAll(target.endpointId)
  try {
    await callRpc(client(), client().deleteEndpoint, target)
  } finally {
    await letGo()
  }
  await eventually(async () => {
    const failed = `deliveries WHERE endpoint_id = $1 AND status = 'FAILED' AND last_error = 'endpoint_deleted'`
    expect(await count(failed, [target.endpointId])).toBe(MANY)
  })
  expect(
    await count(`lanes JOIN deliveries d ON d.lane = lanes.id WHERE d.endpoint_id = $1`, [target.endpointId]),
  ).toBe(0)
  await eventually(async () =>
    expect(await count('receivers WHERE endpoint_id = $1', [target.endpointId])).toBe(0),
  )
  expect(receiver.received).toEqual([])
})

test('a resent delivery goes to the current URL of its endpoint', async () => {
  const target = await endpointAt(`${receiver.url}/before`)
  await callRpc(client(), client().pingEndpoint, target)
  await eventually(() => expect(receiver.received).toHaveLength(1))
  const page = {
    sellerId,
    statuses: [DeliveryStatus.DELIVERED],
    eventTypes: [],
    page: 0,
    size: 1,
    after: undefined,
  }
  const delivery = await eventually(async () => {
    const { deliveries } = await callRpc(client(), client().listDeliveries, page)
    if (!deliveries[0]) throw new Error('not delivered yet')
    return deliveries[0]
  })
  const change = { ...target, url: `${receiver.url}/after`, events: [], ...PLAIN }
  await callRpc(client(), client().replaceEndpoint, change)
  const again = await callRpc(client(), client().resendDelivery, { sellerId, deliveryId: delivery.id })
  expect([delivery.url, again.url]).toEqual([`${receiver.url}/before`, `${receiver.url}/after`])
  await eventually(() => expect(receiver.received.map(({ path }) => path)).toEqual(['/before', '/after']))
})

test('a recovery sends and counts all failed deliveries and all that wait for a retry, in order', async () => {
  const target = await endpointAt(receiver.url)
  const common = { sellerId, endpointId: target.endpointId, url: receiver.url }
  const [failed, both, before] = [newChargeId(), newChargeId(), newChargeId()]
  const store = (chargeId: number, sequence: number, status: 'FAILED' | 'PENDING', ageDays = 1) =>
    storeWaiting(notifier.pool, { ...common, count: 1, firstId: chargeId, sequence, status, ageDays })
  await store(before, 1, 'FAILED', 9)
  await store(failed, 1, 'FAILED')
  await store(both, 1, 'FAILED')
  await store(both, 2, 'PENDING')
  await store(both, 3, 'PENDING')
  await storeWaiting(notifier.pool, { ...common, count: MANY, firstId: 1_000_000, status: 'FAILED' })
  await storeWaiting(notifier.pool, { ...common, count: MANY, firstId: 2_000_000 })
  const since = Date.now() - 2 * 86_400_000
  const { deliveries } = await callRpc(client(), client().recoverEndpoint, { ...target, since })
  expect(deliveries).toBe(2 * MANY + 4)
  await eventually(() => expect(receiver.received.length).toBe(2 * MANY + 4))
  const of = (chargeId: number) =>
    receiver.received.filter(({ json }) => json.resource.id === chargeId).map(({ json }) => json.sequence)
  expect([of(failed), of(both), of(before)]).toEqual([[1], [1, 2, 3], []])
  await eventually(async () =>
    expect(await count('recoveries WHERE endpoint_id = $1', [target.endpointId])).toBe(0),
  )
})
