import { join } from 'node:path'
import type { EventLog, LogEvent } from '../src/event-log'
import { appendToOutbox, outboxRows, relayOutbox } from '../src/outbox'
import { createTestDatabase, type TestDatabase } from '../src/testing'

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
  return { publish: (_topic, events) => publish(events), subscribe: unused, close: unused }
}

test('the relay publishes in order and says when a whole batch was waiting', async () => {
  const published: string[] = []
  const log = logThat(async (events) => void published.push(...events.map(({ value }) => value)))
  await append(1, 150)
  await append(151, 100)

  expect(await relayOutbox(database.pool, log)).toBe(200)
  expect(await relayOutbox(database.pool, log)).toBe(0)
  expect(published).toEqual(Array.from({ length: 250 }, (_, index) => String(index + 1)))
})

test('what could not be published stays', async () => {
  await append(1, 3)
  const away = logThat(() => Promise.reject(new Error('the log is away')))

  await expect(relayOutbox(database.pool, away)).rejects.toThrow('the log is away')
  const { rows } = await database.pool.query('SELECT value FROM outbox ORDER BY id')
  expect(rows.map(({ value }) => value)).toEqual(['1', '2', '3'])
})
