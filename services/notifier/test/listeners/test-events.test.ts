import { callRpc } from '@cofre/platform/grpc/client'
import { eventually } from '@cofre/testing/testing'
import type { SendTestEventRequest } from '@cofre/proto/notifier/v1/notifier'
import { Webhook } from 'standardwebhooks'
import { startNotifier, type Notifier } from '../support/notifier'
import { PLAIN } from '../support/plain-endpoint'
import { startReceiver, type Receiver } from '../support/receiver'

let notifier: Notifier
let receiver: Receiver
let sellerId = 0
beforeAll(async () => {
  notifier = await startNotifier()
  await notifier.consume()
})
afterAll(() => notifier.stop())
beforeEach(async () => {
  receiver = await startReceiver()
  sellerId += 1
})
afterEach(() => receiver.close())

const client = () => notifier.client
async function made(path: string, events: string[] = []) {
  const request = { sellerId, url: `${receiver.url}${path}`, events, ...PLAIN }
  const { endpoint, secret } = await callRpc(client(), client().createEndpoint, request)
  if (!endpoint) throw new Error('no endpoint')
  return { id: endpoint.id, secret, target: { sellerId, endpointId: endpoint.id } }
}
const send = (change: Partial<SendTestEventRequest> = {}) =>
  callRpc(client(), client().sendTestEvent, {
    sellerId,
    eventType: 'charge.captured',
    resourceKind: 'charge',
    resourceId: '0',
    resourcePath: '/api/v2/charges/0',
    data: '{"id":0}',
    ...change,
  })

test('endpoints and listeners that ask for the type get the test event, marked in id, headers and body', async () => {
  const { secret } = await made('/charges', ['charge.*'])
  await made('/invoices', ['invoice.*'])
  const listener = await callRpc(client(), client().createListener, { sellerId, events: ['charge.captured'] })
  const { webhookId, receivers } = await send()
  expect([webhookId, receivers]).toEqual([expect.stringMatching(/^evt_test_[0-9a-f]{32}$/), 2])
  await eventually(() => expect(receiver.received).toHaveLength(1))
  const [told] = receiver.received
  expect([told?.path, told?.headers['webhook-test']]).toEqual(['/charges', 'true'])
  const body = new Webhook(secret).verify(told?.body ?? '', told?.headers as Record<string, string>)
  expect(body).toMatchObject({
    id: webhookId,
    test: true,
    resource: { kind: 'charge', id: 0 },
    data: { id: 0 },
  })
  const request = { sellerId, listenerId: listener.id, after: 0, size: 10, waitMs: 5_000 }
  const { events } = await callRpc(client(), client().readListener, request)
  expect(events).toMatchObject([{ webhookId, body: told?.body, headers: { 'webhook-test': 'true' } }])
})

test('a named endpoint alone gets the test event, even if it is disabled and did not ask for the type', async () => {
  const { target } = await made('/named', ['invoice.*'])
  await made('/other')
  await notifier.pool.query("UPDATE endpoints SET status = 'DISABLED' WHERE id = $1", [target.endpointId])
  expect(await send({ endpointId: target.endpointId })).toMatchObject({ receivers: 1 })
  await eventually(() => expect(receiver.received).toHaveLength(1))
  expect(receiver.received.map(({ path }) => path)).toEqual(['/named'])
  await expect(send({ endpointId: 987_654 })).rejects.toMatchObject({
    kind: 'failed_precondition',
    reason: 'REFERENCE_NOT_FOUND',
    extra: { errors: [{ pointer: '#/endpointId', code: 'UNKNOWN' }] },
  })
})

test('a disabled endpoint gets no test event unless it is named, and no receiver at all is no error', async () => {
  const { target } = await made('/disabled')
  await notifier.pool.query("UPDATE endpoints SET status = 'DISABLED' WHERE id = $1", [target.endpointId])
  expect(await send()).toMatchObject({ receivers: 0 })
})

test('the health of an endpoint counts the last day alone', async () => {
  const { id, target } = await made('/health')
  await callRpc(client(), client().pingEndpoint, target)
  const health = async () =>
    (await callRpc(client(), client().getEndpointHealth, { sellerId, endpointIds: [id] })).endpoints
  await eventually(async () => expect(await health()).toMatchObject([{ delivered: 1, failed: 0 }]))
  receiver.respond(410)
  await callRpc(client(), client().pingEndpoint, target)
  await eventually(async () =>
    expect(await health()).toEqual([
      {
        endpointId: id,
        delivered: 1,
        failed: 1,
        pending: 0,
        medianMs: expect.any(Number),
        isLowerBound: false,
      },
    ]),
  )
  await notifier.pool.query("UPDATE deliveries SET created_at = now() - interval '25 hours'")
  expect(await health()).toEqual([
    { endpointId: id, delivered: 0, failed: 0, pending: 0, medianMs: undefined, isLowerBound: false },
  ])
  const theirs = { sellerId: sellerId + 1_000, endpointIds: [id] }
  expect(await callRpc(client(), client().getEndpointHealth, theirs)).toEqual({ endpoints: [] })
})
