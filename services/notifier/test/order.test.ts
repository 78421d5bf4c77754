import type { LogEvent } from '@cofre/platform/events/event-log'
import { eventually } from '@cofre/testing/testing'
import { chargeEvent, newChargeId } from './support/charge-event'
import { deliveriesOf } from './support/deliveries'
import { startNotifier, type Notifier } from './support/notifier'
import { startReceiver, type Receiver } from './support/receiver'

let notifier: Notifier
let receiver: Receiver
beforeAll(async () => {
  // Two deliverers and two consumers, as two replicas would be; retries do not run out while a test looks.
  notifier = await startNotifier(({ delivery }) => ({
    delivery: { ...delivery, retryScheduleSeconds: Array<number>(10_000).fill(0.02) },
  }))
  await notifier.consume()
  await notifier.consume()
})
afterAll(() => notifier.stop())
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

const publish = (...events: LogEvent[]) => notifier.deps.eventLog.publish('orders.v1', events)
const sequencesOf = (chargeId: number) =>
  receiver.received.filter(({ json }) => json.resource.id === chargeId).map(({ json }) => json.sequence)

function eventsOf(chargeId: number, sequences: number[], url = receiver.url): LogEvent[] {
  return sequences.map((sequence) => chargeEvent({ chargeId, url, sequence }))
}

test('while the oldest delivery of a charge fails, those behind it wait, and other charges do not', async () => {
  const [stuck, free] = [newChargeId(), newChargeId()]
  let healed = false
  receiver.respond(({ json }, response) =>
    response.writeHead(healed || json.resource.id === free ? 200 : 503).end(),
  )
  await publish(...eventsOf(stuck, [1, 2, 3]), ...eventsOf(free, [1, 2, 3]))
  await eventually(() => {
    expect(sequencesOf(free)).toEqual([1, 2, 3])
    expect(sequencesOf(stuck).length).toBeGreaterThan(3)
  })
  expect(new Set(sequencesOf(stuck))).toEqual(new Set([1]))

  healed = true
  await eventually(async () => {
    const rows = await deliveriesOf(notifier.pool, stuck)
    expect(rows.map(({ status }) => status)).toEqual(Array(3).fill('DELIVERED'))
  })
  expect(sequencesOf(stuck).slice(-3)).toEqual([1, 2, 3])
})

test('the events of one charge go to each of two URLs at its own pace', async () => {
  const chargeId = newChargeId()
  const other = await startReceiver()
  receiver.respond(500)
  await publish(...eventsOf(chargeId, [1, 2]), ...eventsOf(chargeId, [3, 4], other.url))
  await eventually(() => expect(other.received.map(({ json }) => json.sequence)).toEqual([3, 4]))
  expect(new Set(sequencesOf(chargeId))).toEqual(new Set([1]))
  await other.close()
})

test('two deliverers at once send each once, and each charge in order', async () => {
  const charges = Array.from({ length: 40 }, newChargeId)
  const events = [1, 2, 3, 4, 5].flatMap((sequence) =>
    charges.flatMap((chargeId) => eventsOf(chargeId, [sequence])),
  )
  await publish(...events)
  await eventually(async () => {
    const { rows } = await notifier.pool.query(
      'SELECT FROM lanes JOIN deliveries ON lane = lanes.id WHERE url LIKE $1',
      [`${receiver.url}%`],
    )
    expect(receiver.received.length).toBeGreaterThanOrEqual(events.length)
    expect(rows).toHaveLength(0)
  })
  for (const chargeId of charges) expect(sequencesOf(chargeId)).toEqual([1, 2, 3, 4, 5])
})

test('a receiver that never answers takes up a few connections of a deliverer, and others are served', async () => {
  const silent = await startReceiver(undefined, '127.0.0.2')
  silent.respond(() => {})
  const slow = Array.from({ length: 50 }, newChargeId)
  const quick = Array.from({ length: 10 }, newChargeId)
  await publish(
    ...slow.flatMap((id) => eventsOf(id, [1], silent.url)),
    ...quick.flatMap((id) => eventsOf(id, [1])),
  )
  await eventually(() => expect(receiver.received).toHaveLength(quick.length))
  expect(silent.received.length).toBeLessThanOrEqual(2 * 8)
  silent.respond(200)
  await silent.close()
})
