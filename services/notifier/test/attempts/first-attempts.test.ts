import { eventually } from '@cofre/testing/testing'
import { consumeEvents } from '../../src/consumers/consume-events'
import type { Starter } from '../../src/consumers/first-attempts'
import { startDeliverer } from '../../src/sweepers/deliver'
import { chargeEvent, newChargeId } from '../support/charge-event'
import { startNotifier, type Notifier } from '../support/notifier'
import { startReceiver, type Receiver } from '../support/receiver'

let notifier: Notifier
let receiver: Receiver
const stops: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  notifier = await startNotifier()
  receiver = await startReceiver()
})
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
  await receiver.close()
  await notifier.stop()
})

const publish = (chargeId: number, sequences: number[]) =>
  notifier.deps.eventLog.publish(
    'orders.v1',
    sequences.map((sequence) => chargeEvent({ chargeId, url: receiver.url, sequence })),
  )

/** Collects the names of the statements that the notifier runs outside transactions from here on. */
function statements(): string[] {
  const names: string[] = []
  const { pool } = notifier
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown
  pool.query = ((...args: [{ name?: string }]) => {
    names.push(args[0].name ?? '')
    return query(...args)
  }) as typeof pool.query
  return names
}

async function startConsumers({
  change = (starter) => starter,
  leaseMs = 20_000,
}: { change?: (starter: Starter) => Starter; leaseMs?: number } = {}): Promise<void> {
  const deps = { ...notifier.deps, delivery: { ...notifier.deps.delivery, leaseMs } }
  const deliverer = startDeliverer(deps)
  stops.push(deliverer.stop)
  const consumers = await consumeEvents(deps, change(deliverer))
  stops.push(() => Promise.all(consumers.map((consumer) => consumer.stop())))
}

test('the consumer that stores a delivery begins its first attempt, and nobody claims it', async () => {
  const names = statements()
  await startConsumers()
  await publish(newChargeId(), [1])
  await eventually(() => expect(receiver.received).toHaveLength(1))
  await eventually(async () => expect((await notifier.pool.query('SELECT FROM lanes')).rowCount).toBe(0))
  expect(names).toContain('signing-secrets-of-all')
  expect(names).not.toContain('claim-due-lanes')
})

test('when several events of a charge come at once, the first begins and the others wait for it', async () => {
  // If they went together, the first would be answered last.
  receiver.respond(({ json }, response) => {
    if (json.sequence === 1) setImmediate(() => response.end())
    else response.end()
  })
  await startConsumers()
  const chargeId = newChargeId()
  await publish(chargeId, [1, 2, 3])
  await eventually(() => expect(receiver.received.map(({ json }) => json.sequence)).toEqual([1, 2, 3]))
})

test('a delivery that a killed process stored and never began is attempted once its lease has run out', async () => {
  await startConsumers({ leaseMs: 300, change: (starter) => ({ ...starter, begin: () => {} }) })
  await publish(newChargeId(), [1])
  await eventually(() => expect(receiver.received).toHaveLength(1))
})

test('a delivery that finds no room waits for it, and begins then', async () => {
  const held: (() => void)[] = []
  receiver.respond((_received, response) => held.push(() => response.end()))
  await startConsumers()
  for (let each = 0; each < 20; each++) await publish(newChargeId(), [1])
  await eventually(() => expect(receiver.received).toHaveLength(8))
  receiver.respond(200)
  for (const answer of held) answer()
  await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(20))
  await eventually(async () => expect((await notifier.pool.query('SELECT FROM lanes')).rowCount).toBe(0))
})
