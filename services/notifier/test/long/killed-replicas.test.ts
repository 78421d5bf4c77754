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

/** What may come twice after a kill: the heads of lanes whose attempt had begun and was not written. */
async function inFlight(): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT head.webhook_id AS id FROM lanes CROSS JOIN LATERAL (
       SELECT webhook_id FROM deliveries WHERE lane = lanes.id AND status = 'PENDING' ORDER BY sequence, id LIMIT 1) AS head
     WHERE lease IS NOT NULL`,
  )
  return rows.map(({ id }) => id)
}

async function killed(program: Program): Promise<string[]> {
  program.kill('SIGKILL')
  expect(await program.exited).toBe('SIGKILL')
  return inFlight()
}

test('two replicas, one after the other killed under load: nothing is lost, all is in order, only what was in flight comes twice', async () => {
  const replicas = [service.start(), service.start()]
  await Promise.all(replicas.map(({ serving }) => serving))
  const mayRepeat = new Set<string>()
  for (let kill = 0; kill < KILLS; kill++) {
    const before = receiver.received.length
    const publishing = eventLog.publish('orders.v1', eventsOf(EVENTS))
    // In the middle of it.
    await eventually(
      () => expect(receiver.received.length).toBeGreaterThan(before + EVENTS / 10),
      PATIENCE_MS,
    )
    const which = kill % replicas.length
    for (const id of await killed(replicas[which] as Program)) mayRepeat.add(id)
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
  const seen = new Set<string>()
  const repeated = ids.filter((id) => seen.size === seen.add(id).size)
  expect(repeated.filter((id) => !mayRepeat.has(id))).toEqual([])
  const lastOf = new Map<number, number>()
  const fresh = new Set<string>()
  for (const { headers, json } of receiver.received) {
    const id = String(headers['webhook-id'])
    if (fresh.has(id)) continue
    fresh.add(id)
    expect(json.sequence).toBe((lastOf.get(json.resource.id) ?? 0) + 1)
    lastOf.set(json.resource.id, json.sequence)
  }
  process.stderr.write(
    `${KILLS} kills, ${made} events: ${mayRepeat.size} were in flight, ${repeated.length} came twice\n`,
  )
})
