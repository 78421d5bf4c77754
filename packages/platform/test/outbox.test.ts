import { join } from 'node:path'
import { newCall, runCall } from '../src/grpc/call-context'
import type { EventLog, LogEvent } from '../src/events/event-log'
import { createLog } from '../src/telemetry/log'
import { appendToOutbox, outboxRows, relayOutbox, relayRestMs } from '../src/events/outbox'
import { createPool, withTransaction, type Db } from '../src/postgres/postgres'
import { openPostgresEventLog } from '../src/events/postgres-event-log'
import { unlessItWaits } from '@cofre/testing/lock-waits'
import { createTestDatabase, eventually, PATIENT, type TestDatabase } from '@cofre/testing/testing'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase(join(__dirname, 'migrations'))
})
afterAll(() => database.drop())
afterEach(() => database.pool.query('DELETE FROM outbox'))

const append = (from: number, count: number) => {
  const events = Array.from({ length: count }, (_, index) => ({
    topic: 'things.v1',
    key: 'a',
    type: 'thing.happened',
    sellerId: 9,
    value: from + index,
  }))
  return database.pool.query(appendToOutbox('$1', 'true'), [outboxRows(events)])
}

function logThat(publish: (events: readonly LogEvent[]) => Promise<void>): EventLog {
  const unused = () => Promise.reject(new Error('unused'))
  return { publish: (_topic, events) => publish(events), subscribe: unused, lag: unused, close: unused }
}

test('the relay publishes in order and reports when a whole batch was waiting', async () => {
  const published: string[] = []
  const log = logThat(async (events) => void published.push(...events.map(({ value }) => value)))
  await append(1, 150)
  await append(151, 100)

  expect(await relayOutbox(database.pool, log)).toBe(200)
  expect(await relayOutbox(database.pool, log)).toBe(0)
  expect(published).toEqual(Array.from({ length: 250 }, (_, index) => String(index + 1)))
})

test('while one relay publishes, another finds nothing to do, and does not wait for it', async () => {
  await append(1, 3)
  let publish = () => {}
  const held = new Promise<void>((resolve) => (publish = resolve))
  const published: string[] = []
  const slow = logThat(async (events) => {
    published.push(...events.map(({ value }) => value))
    await held
  })
  const first = relayOutbox(database.pool, slow)
  await eventually(() => expect(published).toHaveLength(3))
  await append(4, 1)
  const second = relayOutbox(database.pool, slow)
  try {
    expect(await unlessItWaits(database.pool, second)).toBe(0)
    expect(published).toHaveLength(3)
  } finally {
    publish()
  }
  await Promise.all([first, second])
  await relayOutbox(database.pool, slow)
  expect(published).toEqual(['1', '2', '3', '4'])
})

test('a relay rests longer after many events than after few, and longest after none', async () => {
  const log = logThat(async () => {})
  const restAfter = async (events: number) => {
    if (events > 0) await append(1, events)
    await relayOutbox(database.pool, log)
    return relayRestMs(database.pool)
  }
  const [few, many, none] = [await restAfter(1), await restAfter(50), await restAfter(0)]
  expect(few).toBeLessThan(many)
  expect(many).toBeLessThan(none)
  // An event is notified within 250 ms.
  expect(none).toBeLessThan(250)
})

test('a relay that another was ahead of looks again soon: an event may have come after its look', async () => {
  await append(1, 1)
  const held = await database.pool.connect()
  try {
    await relayOutbox(
      database.pool,
      logThat(async () => {}),
    )
    await held.query("BEGIN; SELECT pg_advisory_xact_lock(hashtext('outbox'))")
    await append(1, 1)
    await relayOutbox(
      database.pool,
      logThat(async () => {}),
    )
    expect(relayRestMs(database.pool)).toBeLessThan(100)
    await held.query('COMMIT')
  } finally {
    held.release()
  }
})

test('events that could not be published stay', async () => {
  await append(1, 3)
  const away = logThat(() => Promise.reject(new Error('the log is away')))

  await expect(relayOutbox(database.pool, away)).rejects.toThrow('the log is away')
  const { rows } = await database.pool.query('SELECT value FROM outbox ORDER BY id')
  expect(rows.map(({ value }) => value)).toEqual(['1', '2', '3'])
})

describe('with a real log', () => {
  let events: TestDatabase
  beforeAll(async () => {
    events = await createTestDatabase()
  })
  afterAll(() => events.drop())

  const openLog = () =>
    openPostgresEventLog(
      createPool({ url: events.url, max: 4, name: 'test', ...PATIENT }, () => {}),
      createLog('test', 'silent'),
    )
  const publishedTo = async (topic: string) => {
    const { rows } = await events.pool.query('SELECT * FROM event_log WHERE topic = $1 ORDER BY position', [
      topic,
    ])
    return rows
  }
  const waiting = async () => (await database.pool.query('SELECT FROM outbox')).rowCount
  const appendTo = (topic: string, values: unknown[], db: Db = database.pool) => {
    const rows = values.map((value) => ({ topic, key: 'a', type: 'thing.happened', sellerId: 9, value }))
    return db.query(appendToOutbox('$1', 'true'), [outboxRows(rows)])
  }

  test('publishes each event of every topic as written, with the trace of its request, and deletes it', async () => {
    const log = await openLog()
    const call = newCall({ timeoutMs: 1_000 })
    await runCall(call, () => appendTo('one', [{ text: 'ação ✓ \u0000' }, { n: 2 }]))
    await appendTo('two', [{ n: 3 }])
    await relayOutbox(database.pool, log)
    expect(await publishedTo('one')).toMatchObject([
      {
        type: 'thing.happened',
        key: 'a',
        seller_id: 9,
        traceparent: call.traceparent,
        value: '{"text":"ação ✓ \\u0000"}',
      },
      { traceparent: call.traceparent, value: '{"n":2}' },
    ])
    expect(await publishedTo('two')).toMatchObject([{ value: '{"n":3}' }])
    expect(await waiting()).toBe(0)
    await log.close()
  })

  test('an event whose condition fails, or whose transaction rolls back, is never published', async () => {
    const log = await openLog()
    const row = outboxRows([{ topic: 'never', key: 'a', type: 't', sellerId: 9, value: 1 }])
    await database.pool.query(appendToOutbox('$1', 'EXISTS (SELECT FROM things WHERE id = -1)'), [row])
    const failing = withTransaction(database.pool, async (tx) => {
      await appendTo('never', [2], tx)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await relayOutbox(database.pool, log)
    expect(await publishedTo('never')).toEqual([])
    await log.close()
  })

  test('events that waited while the log was away are published, in order, when it is back', async () => {
    const away = await openLog()
    await away.close()
    await appendTo('away', [1, 2, 3])
    await expect(relayOutbox(database.pool, away)).rejects.toThrow()
    expect(await waiting()).toBe(3)
    const back = await openLog()
    await relayOutbox(database.pool, back)
    expect((await publishedTo('away')).map(({ value }) => value)).toEqual(['1', '2', '3'])
    expect(await waiting()).toBe(0)
    await back.close()
  })

  test('two relays at once publish each event once', async () => {
    const log = await openLog()
    await appendTo(
      'race',
      Array.from({ length: 150 }, (_, index) => index),
    )
    await Promise.all([1, 2, 3, 4].map(() => relayOutbox(database.pool, log)))
    await relayOutbox(database.pool, log)
    expect((await publishedTo('race')).map(({ value }) => Number(value))).toEqual(
      Array.from({ length: 150 }, (_, index) => index),
    )
    await log.close()
  })

  test('a relay that is cut between publishing and deleting publishes again under the same ids', async () => {
    const log = await openLog()
    await appendTo('again', [1, 2])
    const cut: EventLog = {
      ...log,
      publish: async (topic, batch) => {
        await log.publish(topic, batch)
        await database.pool.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND state = 'idle in transaction'`,
        )
      },
    }
    await expect(relayOutbox(database.pool, cut)).rejects.toThrow()
    await relayOutbox(database.pool, log)
    const published = await publishedTo('again')
    expect(published.map(({ value }) => value)).toEqual(['1', '2', '1', '2'])
    expect(new Set(published.map(({ id }) => id)).size).toBe(2)
    await log.close()
  })
})
