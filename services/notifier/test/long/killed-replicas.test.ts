import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { EventLog, LogEvent } from '@cofre/platform/events/event-log'
import { openPostgresEventLog } from '@cofre/platform/events/postgres-event-log'
import { serviceProgram, type Program, type ServiceProgram } from '@cofre/testing/service-program'
import { createTestDatabase, createTestTls, eventually, type TestDatabase } from '@cofre/testing/testing'
import { chargeEvent } from '../support/charge-event'
import { BASE_URL, silent } from '../support/notifier'
import { startReceiver, type Receiver } from '../support/receiver'

/** NOTIFIER_KILLS=10 NOTIFIER_KILLS_EVENTS=2000 is the long form; the events are those between two kills. */
const KILLS = Number(process.env['NOTIFIER_KILLS'] ?? 2)
const EVENTS = Number(process.env['NOTIFIER_KILLS_EVENTS'] ?? 200)
const OF_A_CHARGE = 4
/** How long the receiver takes, so that many are in flight at a kill. */
const ANSWER_MS = 20
const PATIENCE_MS = 600_000

jest.setTimeout(KILLS * PATIENCE_MS)

let database: TestDatabase
let events: TestDatabase
let eventLog: EventLog
let service: ServiceProgram
let receiver: Receiver
beforeAll(async () => {
  database = await createTestDatabase(join(__dirname, '../../migrations'))
  events = await createTestDatabase()
  eventLog = await openPostgresEventLog(events.pool, silent)
  service = serviceProgram(join(__dirname, '../../dist/main.js'), {
    tls: await (await createTestTls()).tlsFor('notifier'),
    settings: {
      DATABASE_URL: database.url,
      EVENT_LOG_URL: events.url,
      BASE_URL,
      OUTBOUND_ALLOWED: '127.0.0.0/8',
    },
    files: { SECRET_KEY_FILE: randomBytes(32).toString('base64') },
  })
  receiver = await startReceiver()
  receiver.respond((_received, response) => void setTimeout(() => response.end(), ANSWER_MS))
})
afterAll(async () => {
  await service.remove()
  await receiver.close()
  await eventLog.close()
  await events.drop()
  await database.drop()
})

let made = 0
function eventsOf(count: number): LogEvent[] {
  const firstId = 1 + made
  made += count
  const charges = Math.ceil(count / OF_A_CHARGE)
  return Array.from({ length: count }, (_each, at) =>
    chargeEvent({
      chargeId: firstId + (at % charges),
      sequence: 1 + Math.floor(at / charges),
      url: receiver.url,
    }),
  )
}

const idsOf = () => receiver.received.map(({ headers }) => String(headers['webhook-id']))

/** The state at a kill: the ids written as delivered, and how many messages had been received. */
type AtKill = { delivered: ReadonlySet<string>; received: number }

async function killed(program: Program): Promise<AtKill> {
  program.kill('SIGKILL')
  expect(await program.exited).toBe('SIGKILL')
  const { rows } = await database.pool.query<{ id: string }>(
    "SELECT webhook_id AS id FROM deliveries WHERE status = 'DELIVERED'",
  )
  return { delivered: new Set(rows.map(({ id }) => id)), received: receiver.received.length }
}

/** Attempts at once at one receiver; a kill may lose their answers or their records. */
const SLOTS = 64

test('killing replicas in turn under load loses and reorders nothing; only messages in flight come twice', async () => {
  const replicas = [service.start(), service.start()]
  await Promise.all(replicas.map(({ serving }) => serving))
  const kills: AtKill[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    const before = receiver.received.length
    const publishing = eventLog.publish('orders.v1', eventsOf(EVENTS))
    // In the middle of the load.
    await eventually(
      () => expect(receiver.received.length).toBeGreaterThan(before + EVENTS / 10),
      PATIENCE_MS,
    )
    const which = kill % replicas.length
    kills.push(await killed(replicas[which] as Program))
    replicas[which] = service.start()
    await Promise.all([publishing, replicas[which].serving])
  }
  await eventually(async () => {
    const { rows } = await database.pool.query(
      "SELECT count(*) AS delivered FROM deliveries WHERE status = 'DELIVERED'",
    )
    expect(rows[0].delivered).toBe(made)
  }, PATIENCE_MS)

  const ids = idsOf()
  expect(new Set(ids).size).toBe(made)
  for (const { delivered, received } of kills)
    expect(ids.slice(received).filter((id) => delivered.has(id))).toEqual([])
  // A message that came twice came before a kill, or was on its way then, and again after it.
  const firstAt = new Map<string, number>()
  const repeated = [...ids.entries()].filter(([at, id]) => {
    if (!firstAt.has(id)) firstAt.set(id, at)
    return firstAt.get(id) !== at
  })
  const isOfKill = ([at, id]: [number, string]) =>
    kills.some(({ received }) => (firstAt.get(id) ?? at) < received + SLOTS && received <= at)
  expect(repeated.filter((each) => !isOfKill(each))).toEqual([])
  expect(repeated.length).toBeLessThanOrEqual(KILLS * 2 * SLOTS)
  const lastOf = new Map<number, number>()
  const fresh = new Set<string>()
  for (const { headers, json } of receiver.received) {
    const id = String(headers['webhook-id'])
    if (fresh.has(id)) continue
    fresh.add(id)
    expect(json.sequence).toBe((lastOf.get(json.resource.id) ?? 0) + 1)
    lastOf.set(json.resource.id, json.sequence)
  }
  process.stderr.write(`${KILLS} kills, ${made} events: ${repeated.length} came twice\n`)
})
