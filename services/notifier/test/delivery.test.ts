import { callRpc } from '@cofre/platform/grpc-client'
import { eventually } from '@cofre/platform/testing'
import { Webhook } from 'standardwebhooks'
import { chargeEvent, newChargeId } from './support/charge-event'
import { BASE_URL, startNotifier, type Notifier } from './support/notifier'
import { startReceiver, type Received, type Receiver } from './support/receiver'

let notifier: Notifier
let receiver: Receiver
beforeAll(async () => {
  notifier = await startNotifier()
  await notifier.consume()
})
afterAll(() => notifier.stop())
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

const publish = (...events: ReturnType<typeof chargeEvent>[]) =>
  notifier.deps.eventLog.publish('orders.v1', events)

function verified(secret: string, told?: Received): unknown {
  return new Webhook(secret).verify(told?.body ?? '', (told?.headers ?? {}) as Record<string, string>)
}

test('an event is told to the URL of its charge, signed as Standard Webhooks says', async () => {
  const chargeId = newChargeId()
  const event = chargeEvent({ chargeId, url: `${receiver.url}/hook?shop=1` })
  await publish(event)
  await eventually(() => expect(receiver.received).toHaveLength(1))

  const { secret } = await callRpc(notifier.client, notifier.client.getSigningSecret, { sellerId: 9 })
  const body = verified(secret, receiver.received[0])
  expect(body).toMatchObject({
    id: `evt_${event.id.replaceAll('-', '')}`,
    type: 'charge.captured',
    createdAt: 1_767_225_600_123,
    sellerId: 9,
    sequence: 1,
    resource: { kind: 'charge', id: chargeId, url: `${BASE_URL}/api/v2/charges/${chargeId}` },
    data: { id: chargeId, status: 'CAPTURED', capturedAmount: 10_000, metadata: { cart: 'ação ✓' } },
  })
})
