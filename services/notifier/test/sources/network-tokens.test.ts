import { randomBytes, randomUUID } from 'node:crypto'
import { newTraceparent } from '@cofre/platform/grpc/call-context'
import type { LogEvent } from '@cofre/platform/events/event-log'
import { callRpc } from '@cofre/platform/grpc/client'
import { eventually } from '@cofre/testing/testing'
import { NetworkTokenEvent } from '@cofre/proto/networktoken/v1/events'
import { NetworkTokenStatus } from '@cofre/proto/networktoken/v1/networktoken'
import { Webhook } from 'standardwebhooks'
import { BASE_URL, startNotifier, type Notifier } from '../support/notifier'
import { startReceiver, type Receiver } from '../support/receiver'

let notifier: Notifier
let receiver: Receiver
beforeAll(async () => {
  notifier = await startNotifier()
  await notifier.consume()
})
afterAll(() => notifier.stop())
beforeEach(async () => {
  receiver = await startReceiver(await notifier.network.authority.issue('shop'))
})
afterEach(() => receiver.close())

const { ACTIVE, FAILED, INACTIVE } = NetworkTokenStatus
const publish = (...events: LogEvent[]) => notifier.deps.eventLog.publish('network-token.v1', events)

/** An event as the network-token service publishes it. */
function tokenEvent(token: string, status: NetworkTokenStatus, sequence = 1, reason = ''): LogEvent {
  const names = { [ACTIVE]: 'active', [FAILED]: 'failed', [INACTIVE]: 'inactive' }
  const card = { bin: '411111', lastFour: '1111', brand: 'VISA', expirationYear: 2049, expirationMonth: 3 }
  const event = NetworkTokenEvent.fromPartial({
    token: { token, sellerId: 9, status, reason, card: { ...card, holderName: 'ANA SOUZA' } },
    sequence,
    occurredAt: 1_767_225_600_123,
    notificationUrl: `${receiver.url}/hook`,
  })
  return {
    id: randomUUID(),
    type: `network_token.${(names as Record<string, string>)[status]}`,
    key: token,
    sellerId: 9,
    traceparent: newTraceparent(),
    value: JSON.stringify(NetworkTokenEvent.toJSON(event)),
  }
}

const received = (count: number) =>
  eventually(() => {
    expect(receiver.received).toHaveLength(count)
    return receiver.received
  })

test('the body is the token, and nothing around it: no holder, no reason', async () => {
  const token = randomBytes(32).toString('hex')
  await publish(tokenEvent(token, ACTIVE))
  const [told] = await received(1)
  const { secret } = await callRpc(notifier.client, notifier.client.getSigningSecret, { sellerId: 9 })

  expect(new Webhook(secret).verify(told?.body ?? '', told?.headers as Record<string, string>)).toEqual({
    token,
    status: 'ACTIVE',
    bin: '411111',
    lastFour: '1111',
    brand: 'VISA',
    expiration: { year: '2049', month: '3' },
  })
  expect(told?.headers).toMatchObject({
    'webhook-event': 'network_token.active',
    'webhook-resource': `${BASE_URL}/api/v2/cards/tokens/network/${token}`,
  })
})

test('the reason comes with FAILED', async () => {
  await publish(tokenEvent(randomBytes(32).toString('hex'), FAILED, 1, 'CARD_EXPIRED'))
  const [told] = await received(1)
  expect(told?.json).toMatchObject({ status: 'FAILED', reason: 'CARD_EXPIRED' })
})

test('the token’s own URL gets ACTIVE and FAILED alone, in order, each once, whatever it first answers', async () => {
  const token = randomBytes(32).toString('hex')
  receiver.respond(500)
  const active = tokenEvent(token, ACTIVE, 1)
  await publish(active, active, tokenEvent(token, INACTIVE, 2), tokenEvent(token, FAILED, 3, 'TIMEOUT'))
  await eventually(() => expect(receiver.received.length).toBeGreaterThan(1))
  receiver.respond(200)

  await eventually(async () => {
    const { rows } = await notifier.pool.query(
      `SELECT status FROM deliveries WHERE resource_kind = 'network_token' AND resource_id = $1`,
      [token],
    )
    expect(rows.map((row) => row.status)).toEqual(['DELIVERED', 'DELIVERED'])
  })
  const bodies = receiver.received.map(({ body }) => (JSON.parse(body) as { status: string }).status)
  expect(bodies.filter((status, at) => status !== bodies[at - 1])).toEqual(['ACTIVE', 'FAILED'])
})

test('an event that can’t be read does not hold up later ones', async () => {
  const broken = { ...tokenEvent(randomBytes(32).toString('hex'), ACTIVE), value: '{"sequence":"1"}' }
  await publish(broken, tokenEvent(randomBytes(32).toString('hex'), ACTIVE))
  await received(1)
})
