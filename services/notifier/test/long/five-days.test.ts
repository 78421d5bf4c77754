import { callRpc } from '@cofre/platform/grpc/client'
import { EndpointStatus } from '@cofre/proto/notifier/v1/notifier'
import { eventually } from '@cofre/testing/testing'
import { chargeEvent } from '../support/charge-event'
import { startMovableClock, type MovableClock } from '../support/movable-clock'
import { startNotifier, type Notifier } from '../support/notifier'
import { PLAIN } from '../support/plain-endpoint'
import { startReceiver, type Receiver } from '../support/receiver'

/** Charges a day, with two events each. FIVE_DAYS_CHARGES=2000 is the long form. */
const CHARGES_A_DAY = Number(process.env['FIVE_DAYS_CHARGES'] ?? 8)
const DAYS = 5
const EVENTS_OF_CHARGE = 2
/** As deployed, in seconds. */
const SCHEDULE = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
const HOUR_SECONDS = 3_600
const STEP_SECONDS = 2 * HOUR_SECONDS
const SELLER = 9
const PATIENCE_MS = 600_000

jest.setTimeout(PATIENCE_MS * 3)

let clock: MovableClock
let notifier: Notifier
let receiver: Receiver
beforeAll(async () => {
  notifier = await startNotifier(({ delivery }) => ({
    delivery: { ...delivery, retryScheduleSeconds: SCHEDULE, concurrency: 256 },
  }))
  // Each connection from here on has the movable clock.
  clock = await startMovableClock(notifier.pool)
  receiver = await startReceiver()
})
afterAll(async () => {
  await notifier.stop()
  await receiver.close()
})

const count = async (sql: string): Promise<number> => (await notifier.pool.query(sql)).rowCount ?? 0
/** Waits until all that is due has been tried. */
const untilTried = () =>
  eventually(async () => {
    expect(
      await count(`SELECT FROM lanes JOIN receivers ON receivers.id = receiver_id
        WHERE state = 'OPEN' AND (due_at <= shifted.now() OR lease IS NOT NULL)`),
    ).toBe(0)
  }, PATIENCE_MS)

const untilDelivered = (told: number) =>
  eventually(
    async () => expect(await count("SELECT FROM deliveries WHERE status = 'DELIVERED'")).toBe(told),
    PATIENCE_MS,
  )

test('a receiver that was down for five days and is recovered gets everything, once and in order', async () => {
  const { client, deps } = notifier
  const target = { sellerId: SELLER, endpointId: 0 }
  const { endpoint } = await callRpc(client, client.createEndpoint, {
    ...PLAIN,
    sellerId: SELLER,
    url: receiver.url,
    events: [],
  })
  target.endpointId = endpoint?.id ?? 0
  await notifier.consume()
  await notifier.consume()
  receiver.respond(503)
  const since = 1

  let told = 0
  let charges: number[] = []
  for (let day = 0; day < DAYS; day++) {
    charges = Array.from({ length: CHARGES_A_DAY }, (_each, at) => 1 + day * CHARGES_A_DAY + at)
    for (let sequence = 1; sequence <= EVENTS_OF_CHARGE; sequence++) {
      const events = charges.map((chargeId) => chargeEvent({ chargeId, url: '', sequence, sellerId: SELLER }))
      await deps.eventLog.publish('orders.v1', events)
    }
    told += charges.length * EVENTS_OF_CHARGE
    await eventually(async () => expect(await count('SELECT FROM deliveries')).toBe(told), PATIENCE_MS)
    for (let passed = 0; passed < 24 * HOUR_SECONDS; passed += STEP_SECONDS) {
      await untilTried()
      await clock.advance(STEP_SECONDS)
    }
  }
  await clock.advance(STEP_SECONDS)
  // The first attempt of the sixth day finds that nothing was answered well for five days.
  const last = chargeEvent({ chargeId: 1 + told, url: '', sellerId: SELLER })
  await deps.eventLog.publish('orders.v1', [last])
  told += 1
  await eventually(async () => {
    const { status } = await callRpc(client, client.getEndpoint, target)
    expect(status).toBe(EndpointStatus.DISABLED)
    expect(await count('SELECT FROM deliveries')).toBe(told)
  }, PATIENCE_MS)
  expect(await count("SELECT FROM deliveries WHERE status = 'DELIVERED'")).toBe(0)
  expect(await count("SELECT FROM deliveries WHERE status = 'FAILED'")).toBeGreaterThan(0)
  expect(await count("SELECT FROM deliveries WHERE status = 'PENDING'")).toBeGreaterThan(0)
  expect(await count('SELECT FROM disablings')).toBe(1)
  await eventually(
    async () => expect(await count('SELECT FROM lanes WHERE lease IS NOT NULL')).toBe(0),
    PATIENCE_MS,
  )

  // Recovered first and enabled afterwards: first attempts at an enabled endpoint would overtake those that had failed.
  receiver.received.length = 0
  receiver.respond(200)
  const { deliveries } = await callRpc(client, client.recoverEndpoint, { ...target, since })
  expect(deliveries).toBe(told)
  await untilDelivered(told)
  await callRpc(client, client.enableEndpoint, target)
  const second = charges.at(-1) ?? 0
  await deps.eventLog.publish('orders.v1', [
    chargeEvent({ chargeId: second, url: '', sequence: EVENTS_OF_CHARGE + 1, sellerId: SELLER }),
  ])
  told += 1
  await untilDelivered(told)

  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect([ids.length, new Set(ids).size]).toEqual([told, told])
  const lastOf = new Map<number, number>()
  for (const { json } of receiver.received) {
    expect(json.sequence).toBeGreaterThan(lastOf.get(json.resource.id) ?? 0)
    lastOf.set(json.resource.id, json.sequence)
  }
  expect(lastOf.get(second)).toBe(EVENTS_OF_CHARGE + 1)
})
