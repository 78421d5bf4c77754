import { callRpc } from '@cofre/platform/grpc/client'
import { eventually } from '@cofre/testing/testing'
import { consumeEvents } from '../src/consumers/consume-events'
import type { Starter } from '../src/consumers/first-attempts'
import { PLAIN } from './support/plain-endpoint'
import { chargeEvent, newChargeId } from './support/charge-event'
import { startNotifier, type Notifier } from './support/notifier'

const MANY = 50
const nothing = () => undefined
const NOBODY: Starter = {
  admit: nothing,
  admitAhead: nothing,
  isPrompt: () => false,
  send: async () => undefined,
  release: nothing,
  begin: nothing,
  endAhead: nothing,
  tellOf: nothing,
  giveUp: nothing,
  wakeFor: nothing,
}

let notifier: Notifier
beforeAll(async () => {
  notifier = await startNotifier()
})
afterAll(() => notifier.stop())

test('the deliveries of an event are made by one statement, however many endpoints get it', async () => {
  const { client, pool, deps } = notifier
  for (let made = 0; made < MANY; made++) {
    const url = `http://127.0.0.1:9/${made}`
    await callRpc(client, client.createEndpoint, { sellerId: 9, url, events: [], ...PLAIN })
  }
  const chargeId = newChargeId()
  const url = 'http://127.0.0.1:9/of-the-charge'
  const event = chargeEvent({ chargeId, url })
  await deps.eventLog.publish('orders.v1', [event, event])
  // Nobody delivers here, so the rows stay as they were made.
  const consumers = await consumeEvents(deps, NOBODY)
  await eventually(async () => {
    const { rows } = await pool.query('SELECT url FROM deliveries WHERE resource_id = $1 ORDER BY id', [
      String(chargeId),
    ])
    expect(rows.map((row) => row.url)).toEqual([
      url,
      ...Array.from({ length: MANY }, (_, made) => `http://127.0.0.1:9/${made}`),
    ])
  })
  await Promise.all(consumers.map((consumer) => consumer.stop()))

  const { rows } = await pool.query(
    'SELECT cmin::text, count(*)::int AS made FROM deliveries WHERE resource_id = $1 GROUP BY cmin::text',
    [String(chargeId)],
  )
  expect(rows).toEqual([{ cmin: expect.any(String), made: MANY + 1 }])
  const lanes = await pool.query(
    `SELECT r.host, count(*)::int AS opened FROM lanes JOIN receivers r ON r.id = receiver_id
     JOIN deliveries d ON d.lane = lanes.id GROUP BY r.host`,
  )
  expect(lanes.rows).toEqual([{ host: '127.0.0.1', opened: MANY + 1 }])
})

test('a seller has at most fifty endpoints, even when more are made at once', async () => {
  const { client } = notifier
  const one = { sellerId: 10, url: 'http://127.0.0.1:9/', events: [], ...PLAIN }
  const asked = Array.from({ length: MANY + 5 }, () => callRpc(client, client.createEndpoint, one))
  const refused = (await Promise.allSettled(asked)).flatMap((each) =>
    each.status === 'rejected' ? [each.reason.reason] : [],
  )
  expect(refused).toEqual(Array.from({ length: 5 }, () => 'ENDPOINT_LIMIT_REACHED'))
})
