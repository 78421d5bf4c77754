import { randomUUID } from 'node:crypto'
import { createLog } from '../src/telemetry/log'
import { createPool, type Pool } from '../src/postgres/postgres'
import type { EventLog } from '../src/events/event-log'
import { openPostgresEventLog } from '../src/events/postgres-event-log'
import { createTestDatabase, eventually, PATIENT, type TestDatabase } from '@cofre/testing/testing'
import { keepsTheContract, newEvent, newEvents, type LogUnderTest } from './event-log-contract'

const SESSIONS = "FROM pg_stat_activity WHERE application_name = 'event-log' AND datname = current_database()"
const silent = createLog('test', 'silent')

type StartedLog = Omit<LogUnderTest, 'open'> & {
  open(lookEveryMs?: number): Promise<EventLog>
  sessions(): Pool
  database: TestDatabase
}

async function startLog(): Promise<StartedLog> {
  const database = await createTestDatabase()
  const sessions = () => createPool({ url: database.url, max: 4, name: 'event-log', ...PATIENT }, () => {})
  return {
    database,
    sessions,
    open: (lookEveryMs) => openPostgresEventLog(sessions(), silent, lookEveryMs),
    newTopic: async () => `things.${randomUUID()}`,
    deadLetters: async (topic) => {
      const { rows } = await database.pool.query(
        'SELECT value, reason FROM event_log_dead_letters WHERE topic = $1',
        [topic],
      )
      return rows
    },
    end: database.drop,
  }
}

describe('the log in PostgreSQL keeps the contract:', () => keepsTheContract(startLog))

describe('the log in PostgreSQL', () => {
  let log: Awaited<ReturnType<typeof startLog>>
  let topic: string
  beforeAll(async () => {
    log = await startLog()
  })
  afterAll(() => log.end())
  beforeEach(async () => {
    topic = await log.newTopic()
  })

  test('notifies a reader of each event, so that it need not look', async () => {
    const opened = await log.open(3_600_000)
    let handled = 0
    const subscription = await opened.subscribe('readers', topic, async () => void (handled += 1))
    for (let round = 1; round <= 20; round += 1) {
      await opened.publish(topic, [newEvent('a')])
      await eventually(() => expect(handled).toBe(round))
    }
    await subscription.stop()
    await opened.close()
  })

  test('a reader whose connections are cut goes on, and skips nothing', async () => {
    const opened = await log.open()
    const handled: string[] = []
    const subscription = await opened.subscribe(
      'readers',
      topic,
      async ({ value }) => void handled.push(value),
    )
    await opened.publish(topic, newEvents('a', 3))
    await eventually(() => expect(handled).toHaveLength(3))
    await log.database.pool.query(`SELECT pg_terminate_backend(pid) ${SESSIONS}`)
    await eventually(() => opened.publish(topic, newEvents('a', 3, 4)))
    await eventually(() => expect(new Set(handled)).toEqual(new Set(['1', '2', '3', '4', '5', '6'])))
    await subscription.stop()
    await opened.close()
  })

  test('a reader cut while it handles an event handles no other before it is a member again', async () => {
    const sessions = log.sessions()
    const opened = await openPostgresEventLog(sessions, silent)
    const handled: string[] = []
    const subscription = await opened.subscribe('readers', topic, async ({ value }) => {
      handled.push(value)
      if (handled.length > 1) return
      await log.database.pool.query(`SELECT pg_terminate_backend(pid) ${SESSIONS}`)
      // Waits until the reader notices the cut. It may do so later than another connection gets its answer.
      await eventually(() => expect(sessions.totalCount).toBe(0))
    })
    await opened.publish(topic, newEvents('a', 2))
    await eventually(() => expect(handled).toEqual(['1', '1', '2']))
    await subscription.stop()
    await opened.close()
  })

  test('deletes events older than a week once every group has handled them', async () => {
    const { pool } = log.database
    const opened = await log.open()
    const read = async (group: string) => {
      let handled = 0
      const subscription = await opened.subscribe(group, topic, async () => void (handled += 1))
      return { subscription, handled: () => handled }
    }
    const kept = async () => {
      const { rows } = await pool.query('SELECT value FROM event_log WHERE topic = $1 ORDER BY position', [
        topic,
      ])
      return rows.map(({ value }) => value)
    }
    const late = await read('late')
    await late.subscription.stop()
    await opened.publish(topic, newEvents('a', 3))
    await pool.query("UPDATE event_log SET published_at = now() - interval '8 days' WHERE topic = $1", [
      topic,
    ])
    await opened.publish(topic, newEvents('a', 1, 4))

    const early = await read('early')
    await eventually(() => expect(early.handled()).toBe(4))
    await early.subscription.stop()
    expect(await kept()).toEqual(['1', '2', '3', '4'])
    const again = await read('late')
    await eventually(async () => expect(await kept()).toEqual(['4']))
    await again.subscription.stop()
    await opened.close()
  })
})
