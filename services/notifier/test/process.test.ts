import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serviceProgram, type ServiceProgram } from '@cofre/testing/service-program'
import { createTestDatabase, createTestTls, eventually, type TestDatabase } from '@cofre/testing/testing'
import { openPostgresEventLog } from '@cofre/platform/events/postgres-event-log'
import type { EventLog } from '@cofre/platform/events/event-log'
import { chargeEvent, newChargeId } from './support/charge-event'
import { attemptsOf, deliveriesOf } from './support/deliveries'
import { BASE_URL, silent } from './support/notifier'
import { startReceiver, type Receiver } from './support/receiver'

let database: TestDatabase
let events: TestDatabase
let eventLog: EventLog
let program: ServiceProgram
let receiver: Receiver
beforeAll(async () => {
  database = await createTestDatabase()
  events = await createTestDatabase()
  eventLog = await openPostgresEventLog(events.pool, silent)
  program = serviceProgram(join(__dirname, '../dist/main.js'), {
    tls: await (await createTestTls()).tlsFor('notifier'),
    settings: {
      DATABASE_URL: database.url,
      EVENT_LOG_URL: events.url,
      BASE_URL,
      OUTBOUND_ALLOWED: '127.0.0.0/8',
    },
    files: { SECRET_KEY_FILE: randomBytes(32).toString('base64') },
  })
})
afterAll(async () => {
  await program.remove()
  await eventLog.close()
  await events.drop()
  await database.drop()
})
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

test('missing and bad settings prevent the start, and are named without their values', async () => {
  const started = program.start([], {
    DATABASE_URL: 'mysql://root:hunter2@db',
    BASE_URL: '',
    OUTBOUND_ALLOWED: '10.0.0.0/99',
  })
  expect(await started.exited).toBe(1)
  expect(started.stderr()).toMatch(
    /DATABASE_URL is invalid[^]*BASE_URL is invalid[^]*OUTBOUND_ALLOWED is invalid/,
  )
  expect(started.stderr()).not.toContain('hunter2')
})

test('migration runs as a step of its own, any number at once', async () => {
  const steps = [program.start(['migrate']), program.start(['migrate'])]
  for (const step of steps) expect(await step.exited).toBe(0)
  expect((await database.pool.query('SELECT FROM deliveries')).rows).toEqual([])
})

test('a process that is asked to stop finishes its running attempt, writes it and exits with success', async () => {
  const chargeId = newChargeId()
  let answer = () => {}
  receiver.respond((_received, response) => (answer = () => response.end()))
  const notifier = program.start([], { MIGRATE_ON_START: 'true' })
  await notifier.serving
  await eventLog.publish('orders.v1', [chargeEvent({ chargeId, url: receiver.url })])
  await eventually(() => expect(receiver.received).toHaveLength(1))
  notifier.kill('SIGTERM')
  answer()
  expect(await notifier.exited).toBe(0)
  expect(await attemptsOf(database.pool, chargeId)).toEqual([[1, 200]])
})

test('a process with another secret key than the first one does not start, and says so', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'cofre-other-key-'))
  const SECRET_KEY_FILE = join(dir, 'key')
  writeFileSync(SECRET_KEY_FILE, randomBytes(32).toString('base64'))
  const first = program.start()
  await first.serving
  const other = program.start([], { SECRET_KEY_FILE })
  await expect(other.serving).rejects.toThrow('SECRET_KEY is not the key with which this service sealed')
  expect(await other.exited).toBe(1)
  first.kill('SIGTERM')
  rmSync(dir, { recursive: true })
})

test('a process killed in the middle of an attempt loses nothing: the next one delivers all, in order', async () => {
  const chargeId = newChargeId()
  receiver.respond(() => {})
  const killed = program.start()
  await killed.serving
  const url = receiver.url
  await eventLog.publish(
    'orders.v1',
    [1, 2, 3].map((sequence) => chargeEvent({ chargeId, url, sequence })),
  )
  await eventually(async () => expect(await deliveriesOf(database.pool, chargeId)).toHaveLength(3))
  await eventually(() => expect(receiver.received).toHaveLength(1))
  killed.kill('SIGKILL')
  expect(await killed.exited).toBe('SIGKILL')

  receiver.respond(200)
  // The lease of the killed process runs out.
  await database.pool.query("UPDATE lanes SET due_at = due_at - interval '20 seconds'")
  const next = program.start()
  await eventually(() => expect(receiver.received.map(({ json }) => json.sequence)).toEqual([1, 1, 2, 3]))
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(ids[0]).toBe(ids[1])
  next.kill('SIGTERM')
  expect(await next.exited).toBe(0)
})
