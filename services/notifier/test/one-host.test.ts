import { callRpc } from '@cofre/platform/grpc/client'
import { eventually } from '@cofre/testing/testing'
import { PLAIN } from './support/plain-endpoint'
import { chargeEvent, newChargeId } from './support/charge-event'
import { startNotifier, type Notifier } from './support/notifier'
import { startReceiver, type Receiver } from './support/receiver'
import { storeWaiting } from './support/waiting'

const SLOTS = 8
const WAITING = 100
const sellerId = 9

let notifier: Notifier
let receiver: Receiver
beforeAll(async () => {
  notifier = await startNotifier()
  receiver = await startReceiver()
})
afterAll(async () => {
  receiver.respond(200)
  await receiver.close()
  await notifier.stop()
})

test('the backlog of an endpoint does not hold up other deliveries to its host', async () => {
  const { client } = notifier
  const url = `${receiver.url}/slow`
  const { endpoint } = await callRpc(client, client.createEndpoint, {
    sellerId,
    url,
    events: ['charge.denied'],
    ...PLAIN,
  })
  const common = { sellerId, endpointId: endpoint?.id ?? 0, url, firstId: 1_000_000, isFirst: true }
  await storeWaiting(notifier.pool, { ...common, count: WAITING, dueInSeconds: -1 })
  const answers: (() => void)[] = []
  receiver.respond(({ path }, response) => {
    if (path === '/slow') answers.push(() => response.end())
    else response.end()
  })
  await notifier.consume()
  await eventually(() => expect(answers).toHaveLength(SLOTS))
  const first = chargeEvent({ chargeId: newChargeId(), url: `${receiver.url}/quick`, sellerId })
  await notifier.deps.eventLog.publish('orders.v1', [first])
  await eventually(async () => {
    const { rowCount } = await notifier.pool.query("SELECT FROM receivers WHERE name = '127.0.0.1'")
    expect(rowCount).toBe(1)
  })
  const paths = () => receiver.received.map(({ path }) => path)
  // One slot after another comes free.
  await eventually(() => {
    answers.shift()?.()
    expect(paths()).toContain('/quick')
  })
  expect(paths().indexOf('/quick')).toBeLessThan(WAITING / 2)
})
