import { callRpc } from '@cofre/platform/grpc/client'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import { unlessItWaits, whenWaiting, whileHeld } from '@cofre/testing/lock-waits'
import { claimDue } from '../../src/deliveries/claim-store'
import { insertDeliveries } from '../../src/deliveries/delivery-store'
import { finishAttempts } from '../../src/deliveries/verdict-store'
import { endpointsForAll } from '../../src/endpoints/endpoint-store'
import { deliveriesOf } from '../../src/notifications/envelope'
import { notificationOf, SOURCES } from '../../src/notifications/sources'
import { findDueReceivers } from '../../src/receivers/receiver-store'
import { chargeEvent, newChargeId } from '../support/charge-event'
import { BASE_URL, startNotifier, type Notifier } from '../support/notifier'
import { PLAIN } from '../support/plain-endpoint'

const URL_OF_SELLER = 'https://127.0.0.1:9/hooks'

let notifier: Notifier
let sellerId = 300
beforeAll(async () => {
  notifier = await startNotifier()
})
beforeEach(() => (sellerId += 1))
afterAll(() => notifier.stop())

async function newEndpoint(url = URL_OF_SELLER) {
  const { client } = notifier
  const { endpoint } = await callRpc(client, client.createEndpoint, { sellerId, url, events: [], ...PLAIN })
  return { sellerId, endpointId: endpoint?.id ?? 0 }
}
/** The notification that a consumer makes of an event of this charge. */
function notificationFor(chargeId: number, sequence = 1) {
  const [charges] = SOURCES
  const event = chargeEvent({ chargeId, url: '', sequence, sellerId, type: 'charge.captured' })
  return notificationOf(charges!, event, BASE_URL)
}
const asked = () => [{ sellerId, eventType: 'charge.captured' }]
const toEndpoint = (notification: ReturnType<typeof notificationFor>, endpoints: readonly { id: number }[]) =>
  deliveriesOf(notification, endpoints as never).filter(({ endpointId }) => endpointId !== null)

async function claimAll() {
  const due = await findDueReceivers(notifier.pool, [], 100)
  const shares = due.map(({ id }) => ({ receiverId: id, attempts: 100, retries: 100 }))
  const claimed = await claimDue(notifier.pool, shares, 20_000)
  return claimed.filter(({ delivery }) => delivery.sellerId === sellerId)
}

test('an endpoint is not deleted between its lookup and the making of its deliveries', async () => {
  const target = await newEndpoint()
  const { client, pool } = notifier
  const [deleting] = await withTransaction(pool, async (tx) => {
    const endpoints = (await endpointsForAll(tx, asked()))(asked()[0]!)
    const call = callRpc(client, client.deleteEndpoint, target)
    expect(await unlessItWaits(pool, call)).toBe('waits')
    await insertDeliveries(tx, toEndpoint(notificationFor(newChargeId()), endpoints))
    return [call]
  })
  await deleting
  const { rows } = await pool.query('SELECT state FROM receivers WHERE seller_id = $1 AND endpoint_id = $2', [
    sellerId,
    target.endpointId,
  ])
  // The new deliveries are closed with it.
  expect(rows).toEqual([{ state: 'CLOSING' }])
})

test('two answers of 410 at the same moment notify the other endpoint once', async () => {
  const gone = await newEndpoint()
  const { pool, deps } = notifier
  const endpoints = (await endpointsForAll(pool, asked()))(asked()[0]!)
  for (const chargeId of [newChargeId(), newChargeId()]) {
    await insertDeliveries(pool, toEndpoint(notificationFor(chargeId), endpoints))
  }
  const other = await newEndpoint(`${URL_OF_SELLER}/other`)
  const claimed = await claimAll()
  expect(claimed).toHaveLength(2)
  const attempt = { at: new Date(), durationMs: 1, outcome: { status: 410 } }
  const verdict = { status: 'FAILED', abandons: true } as const
  const hold = 'SELECT FROM endpoints WHERE seller_id = $1 FOR UPDATE'
  const both = await whileHeld(pool, [hold, [sellerId]], async () => {
    const finishing = claimed.map((each) => finishAttempts(deps, [{ claimed: each, attempt, verdict }]))
    await whenWaiting(pool, 2)
    return finishing
  })
  await Promise.all(both)
  const { rows } = await pool.query(
    "SELECT endpoint_id FROM deliveries WHERE seller_id = $1 AND event_type = 'endpoint.disabled'",
    [sellerId],
  )
  expect(rows).toEqual([{ endpoint_id: other.endpointId }])
  const { rows: states } = await pool.query('SELECT status FROM endpoints WHERE id = $1', [gone.endpointId])
  expect(states).toEqual([{ status: 'DISABLED' }])
})

test('the head of a lane is its earliest event, even if that was stored last', async () => {
  await newEndpoint()
  const { pool } = notifier
  const endpoints = (await endpointsForAll(pool, asked()))(asked()[0]!)
  const chargeId = newChargeId()
  for (const sequence of [2, 1]) {
    await insertDeliveries(pool, toEndpoint(notificationFor(chargeId, sequence), endpoints))
  }
  expect((await claimAll()).map(({ delivery }) => delivery.sequence)).toEqual([1])
})
