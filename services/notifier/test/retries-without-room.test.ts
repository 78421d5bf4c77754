import { eventually } from '@cofre/testing/testing'
import { chargeEvent, newChargeId } from './support/charge-event'
import { startNotifier, type Notifier } from './support/notifier'
import { startReceiver, type Receiver } from './support/receiver'
import { storeWaiting } from './support/waiting'

/** More receivers than a deliverer looks at together, each of its own seller. */
const SILENT = 110
const RETRIES_AT_ONCE = 16

let notifier: Notifier
let silent: Receiver
let quick: Receiver
beforeAll(async () => {
  const concurrency = 2 * RETRIES_AT_ONCE
  notifier = await startNotifier(({ delivery }) => ({ delivery: { ...delivery, concurrency } }))
  silent = await startReceiver(undefined, '0.0.0.0')
  quick = await startReceiver()
})
afterAll(async () => {
  silent.respond(200)
  await Promise.all([silent.close(), quick.close()])
  await notifier.stop()
})

test('retries that find no room hold up no first attempt, however many sellers they belong to', async () => {
  silent.respond(() => {})
  for (let sellerId = 1; sellerId <= SILENT; sellerId++) {
    const url = `http://127.1.0.${sellerId}:${silent.port}`
    const firstId = 1_000_000 + 2 * sellerId
    await storeWaiting(notifier.pool, {
      sellerId,
      endpointId: null,
      url,
      count: 2,
      firstId,
      dueInSeconds: -1,
    })
  }
  await notifier.consume()
  await eventually(() => expect(silent.received).toHaveLength(RETRIES_AT_ONCE))
  const first = chargeEvent({ chargeId: newChargeId(), url: quick.url, sellerId: SILENT + 1 })
  await notifier.deps.eventLog.publish('orders.v1', [first])
  await eventually(() => expect(quick.received).toHaveLength(1))
  expect(silent.received.length).toBeLessThan(SILENT)
})
