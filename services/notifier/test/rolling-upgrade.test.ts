import { callRpc } from '@cofre/platform/grpc/client'
import { eventually } from '@cofre/testing/testing'
import { PLAIN } from './support/plain-endpoint'
import { chargeEvent, newChargeId } from './support/charge-event'
import { startNotifier, type Notifier } from './support/notifier'
import { startReceiver, type Receiver } from './support/receiver'

let notifier: Notifier
let receiver: Receiver
beforeAll(async () => {
  notifier = await startNotifier()
  receiver = await startReceiver()
  await notifier.consume()
})
afterAll(async () => {
  await receiver.close()
  await notifier.stop()
})

const publish = () =>
  notifier.deps.eventLog.publish('orders.v1', [chargeEvent({ chargeId: newChargeId(), url: '' })])
/** Sets the status as a replica of the previous version does, which knows no receivers. */
const setStatus = (endpointId: number, status: 'ENABLED' | 'DISABLED') =>
  notifier.pool.query('UPDATE endpoints SET status = $2 WHERE id = $1', [endpointId, status])
const stateIs = (endpointId: number, state: string) =>
  eventually(async () => {
    const { rows } = await notifier.pool.query('SELECT state FROM receivers WHERE endpoint_id = $1', [
      endpointId,
    ])
    expect(rows).toEqual([{ state }])
  }, 30_000)

test('an endpoint that a replica of the previous version disabled gets nothing until enabled', async () => {
  const { client } = notifier
  const { endpoint } = await callRpc(client, client.createEndpoint, {
    sellerId: 9,
    url: receiver.url,
    events: [],
    ...PLAIN,
  })
  const { id = 0 } = endpoint ?? {}
  await publish()
  await eventually(() => expect(receiver.received).toHaveLength(1))
  await setStatus(id, 'DISABLED')
  await stateIs(id, 'PAUSED')
  await publish()
  await eventually(async () => {
    const { rowCount } = await notifier.pool.query("SELECT FROM deliveries WHERE status = 'PENDING'")
    expect(rowCount).toBe(1)
  })
  expect(receiver.received).toHaveLength(1)
  await setStatus(id, 'ENABLED')
  await eventually(() => expect(receiver.received).toHaveLength(2), 30_000)
})
