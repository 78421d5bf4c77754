import { callRpc } from '@cofre/platform/grpc/client'
import { DisablingReason, type Disabling } from '@cofre/proto/notifier/v1/notifier'
import { eventually } from '@cofre/testing/testing'
import { noteOutcomes } from '../../src/deliveries/verdict-store'
import { chargeEvent, newChargeId } from '../support/charge-event'
import { startNotifier, type Notifier } from '../support/notifier'
import { PLAIN } from '../support/plain-endpoint'
import { startReceiver, type Receiver } from '../support/receiver'

let notifier: Notifier
let receiver: Receiver
let sellerId = 700
beforeAll(async () => {
  notifier = await startNotifier()
  await notifier.consume()
  receiver = await startReceiver()
})
afterAll(async () => {
  await notifier.stop()
  await receiver.close()
})
beforeEach(async () => {
  sellerId += 1
  receiver.respond(200)
  await notifier.pool.query('DELETE FROM disablings')
})

async function made(): Promise<number> {
  const { client } = notifier
  const request = { ...PLAIN, sellerId, url: `${receiver.url}/hooks`, events: [] }
  return (await callRpc(client, client.createEndpoint, request)).endpoint?.id ?? 0
}
/** Makes an endpoint and has an answer of 410 disable it. */
async function gone(): Promise<number> {
  const id = await made()
  receiver.respond(410)
  await notifier.deps.eventLog.publish('orders.v1', [
    chargeEvent({ chargeId: newChargeId(), url: '', sellerId }),
  ])
  await eventually(async () => expect(await stored()).toBe(1))
  return id
}
const stored = async () => (await notifier.pool.query('SELECT FROM disablings')).rowCount
const take = async (): Promise<Disabling[]> =>
  (await callRpc(notifier.client, notifier.client.takeDisablings, {})).disablings
const acknowledge = (id: string) => callRpc(notifier.client, notifier.client.acknowledgeDisabling, { id })
const aMinuteLater = () => notifier.pool.query("UPDATE disablings SET ask_at = ask_at - interval '1 minute'")

test('the disabling of an endpoint is handed out once, even to concurrent callers', async () => {
  const endpointId = await gone()
  const taken = (await Promise.all([take(), take(), take()])).flat()
  expect(taken).toMatchObject([
    { sellerId, endpointId, url: `${receiver.url}/hooks`, reason: DisablingReason.GONE },
  ])
  expect(Date.now() - (taken[0]?.disabledAt ?? 0)).toBeLessThan(600_000)
})

test('five days of failures are another reason for disabling', async () => {
  const endpointId = await made()
  await notifier.pool.query("UPDATE endpoints SET failing_since = now() - interval '6 days' WHERE id = $1", [
    endpointId,
  ])
  const failed = {
    claimed: { delivery: { endpointId, sellerId }, endpoint: null },
    verdict: { status: 'FAILED', abandons: false },
  }
  // Two attempts that end at once, and one that ends later.
  await Promise.all([1, 2].map(() => noteOutcomes(notifier.deps, [failed] as never)))
  await noteOutcomes(notifier.deps, [failed] as never)
  expect(await take()).toMatchObject([{ endpointId, reason: DisablingReason.FAILING }])
})

test('a disabling that is taken and not acknowledged is handed out again after a minute, under the same id', async () => {
  await gone()
  const [first] = await take()
  expect(await take()).toEqual([])
  await aMinuteLater()
  expect(await take()).toEqual([first])
})

test('an acknowledged disabling is never handed out again, and acknowledging may be repeated', async () => {
  await gone()
  const [{ id } = { id: '' }] = await take()
  await acknowledge(id)
  await acknowledge(id)
  await aMinuteLater()
  expect(await take()).toEqual([])
})

test('an id that no disabling can have is not found', async () => {
  await expect(acknowledge('7')).rejects.toMatchObject({ kind: 'not_found' })
})

test('an endpoint that is enabled and disabled again has a new disabling', async () => {
  const endpointId = await gone()
  const [first] = await take()
  await acknowledge(first?.id ?? '')
  await callRpc(notifier.client, notifier.client.enableEndpoint, { sellerId, endpointId })
  await notifier.deps.eventLog.publish('orders.v1', [
    chargeEvent({ chargeId: newChargeId(), url: '', sellerId }),
  ])
  await eventually(async () => expect(await stored()).toBe(1))
  const [second] = await take()
  expect(second?.endpointId).toBe(endpointId)
  expect(second?.id).not.toBe(first?.id)
})
