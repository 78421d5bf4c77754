import { join } from 'node:path'
import { newCall, runCall } from '../../src/grpc/call-context'
import type { EventLog } from '../../src/events/event-log'
import { appendToOutbox, outboxRows, relayOutbox } from '../../src/events/outbox'
import { withTransaction, type Db } from '../../src/postgres/postgres'
import { repeat, type Loop } from '../../src/service/lifecycle'
import { createTestDatabase, eventually, type TestDatabase } from '@cofre/testing/testing'

/** Longer than any test waits: without a wake, nothing is published. */
const NEVER_MS = 3_600_000

let database: TestDatabase
let relay: Loop
let published: string[]
let batches: number[]
let isAway: boolean
beforeEach(async () => {
  database = await createTestDatabase(join(__dirname, '../migrations'))
  published = []
  batches = []
  isAway = false
  const unused = () => Promise.reject(new Error('unused'))
  const publish: EventLog['publish'] = async (_topic, events) => {
    batches.push(events.length)
    if (isAway) throw new Error('the log is away')
    published.push(...events.map(({ value }) => value))
  }
  const log = { publish, subscribe: unused, lag: unused, close: unused }
  let looked = () => {}
  const lookedOnce = new Promise<void>((resolve) => (looked = resolve))
  const look = async () => {
    const found = await relayOutbox(database.pool, log)
    looked()
    return found
  }
  relay = repeat(look, NEVER_MS, () => {})
  await lookedOnce
})
afterEach(async () => {
  await relay.stop()
  await database.drop()
})

const append = (db: Db, values: readonly string[]) => {
  const events = values.map((value) => ({
    topic: 'things.v1',
    key: 'a',
    type: 'thing.happened',
    sellerId: 9,
    value,
  }))
  return db.query(appendToOutbox('$1', 'true'), [outboxRows(events)])
}
const inCall = <T>(work: () => Promise<T>) => runCall(newCall({ timeoutMs: 60_000 }), work)
const arrived = (values: readonly string[]) =>
  eventually(() => expect(published).toEqual(values.map((value) => JSON.stringify(value))))

test('an event is published once the statement that made it has committed, without a timed look', async () => {
  await inCall(() => append(database.pool, ['by itself']))
  await arrived(['by itself'])
  await inCall(() => append(database.pool, ['another']))
  await arrived(['by itself', 'another'])
})

test('an event is published when its transaction has committed', async () => {
  await inCall(() => withTransaction(database.pool, (tx) => append(tx, ['in a transaction'])))
  await arrived(['in a transaction'])
})

test('a commit of one request leaves the wake of another request alone', async () => {
  await inCall(async () => {
    await withTransaction(database.pool, async (tx) => {
      await append(tx, ['slow'])
      await inCall(() => database.pool.query('SELECT 1'))
      await inCall(() => append(database.pool, ['quick']))
      await arrived(['quick'])
    })
  })
  await arrived(['quick', 'slow'])
})

test('a relay that found many events rests, and the next ones share a publish; after few it wakes again', async () => {
  await inCall(() => append(database.pool, ['1', '2', '3', '4', '5']))
  await arrived(['1', '2', '3', '4', '5'])
  await inCall(() => append(database.pool, ['6']))
  await inCall(() => append(database.pool, ['7']))
  relay.wake()
  await arrived(['1', '2', '3', '4', '5', '6', '7'])
  await inCall(() => append(database.pool, ['8']))
  await arrived(['1', '2', '3', '4', '5', '6', '7', '8'])
  expect(batches).toEqual([5, 2, 1])
})

test('while the log is away, no commit cuts the rest of the relay short', async () => {
  isAway = true
  await inCall(() => append(database.pool, ['1']))
  await eventually(() => expect(batches).toEqual([1]))
  await inCall(() => append(database.pool, ['2']))
  await inCall(() => append(database.pool, ['3']))
  isAway = false
  relay.wake()
  await arrived(['1', '2', '3'])
  expect(batches).toEqual([1, 3])
})
