import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { forgetHandled, handleAllOnce, handleOnce } from '../src/events/inbox'
import { createTestDatabase, type TestDatabase } from '@cofre/testing/testing'

let database: TestDatabase
let lastThing = 100
beforeAll(async () => {
  database = await createTestDatabase(join(__dirname, 'migrations'))
})
afterAll(() => database.drop())

const count = async (thing: number) =>
  (await database.pool.query('SELECT FROM things WHERE id = $1', [thing])).rowCount
const handle = (eventId: string, thing: number, consumer = 'readers') =>
  handleOnce(database.pool, consumer, eventId, async (tx) => {
    await tx.query('INSERT INTO things VALUES ($1)', [thing])
  })

test('an event that comes again is not handled again', async () => {
  const [event, thing, other] = [randomUUID(), (lastThing += 1), (lastThing += 1)]
  await handle(event, thing)
  await handle(event, other)
  expect(await count(thing)).toBe(1)
  expect(await count(other)).toBe(0)
})

test('each consumer handles an event once', async () => {
  const [event, thing, other] = [randomUUID(), (lastThing += 1), (lastThing += 1)]
  await handle(event, thing)
  await handle(event, other, 'other readers')
  expect(await count(other)).toBe(1)
})

test('the same event twice at the same time is handled once', async () => {
  const event = randomUUID()
  const things = [1, 2, 3, 4].map(() => (lastThing += 1))
  await Promise.all(things.map((thing) => handle(event, thing)))
  const counts = await Promise.all(things.map(count))
  expect(counts.reduce<number>((sum, each) => sum + (each ?? 0), 0)).toBe(1)
})

test('work that fails leaves no mark and no effect: the event may come again', async () => {
  const [event, thing] = [randomUUID(), (lastThing += 1)]
  const failing = handleOnce(database.pool, 'readers', event, async (tx) => {
    await tx.query('INSERT INTO things VALUES ($1)', [thing])
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await count(thing)).toBe(0)
  await handle(event, thing)
  expect(await count(thing)).toBe(1)
})

test('of many events, those that were not handled before are handled, in one transaction', async () => {
  const [seen, one, two] = [randomUUID(), randomUUID(), randomUUID()]
  await handle(seen, (lastThing += 1))
  const given: string[] = []
  const failing = handleAllOnce(database.pool, 'readers', [one, two], () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  await handleAllOnce(database.pool, 'readers', [two, seen, one, two], async (_tx, fresh) => {
    given.push(...fresh)
  })
  expect(given.sort()).toEqual([one, two].sort())
  await handleAllOnce(database.pool, 'readers', [one, two], () => Promise.reject(new Error('again')))
})

test('many events twice at the same time, in different orders, are handled once', async () => {
  const events = Array.from({ length: 40 }, () => randomUUID())
  const handled: string[] = []
  const orders = [
    events,
    events.toReversed(),
    [...events].sort(),
    [...events.slice(20), ...events.slice(0, 20)],
  ]
  const all = orders.map((each) =>
    handleAllOnce(database.pool, 'readers', each, async (_tx, fresh) => void handled.push(...fresh)),
  )
  await Promise.all(all)
  expect(handled.sort()).toEqual([...events].sort())
})

test('marks are forgotten after 30 days, not before', async () => {
  const [old, recent] = [randomUUID(), randomUUID()]
  await handle(old, (lastThing += 1))
  await handle(recent, (lastThing += 1))
  const age = "UPDATE inbox SET handled_at = now() - $2 * interval '1 day' WHERE event_id = $1"
  await database.pool.query(age, [old, 31])
  await database.pool.query(age, [recent, 29])
  expect(await forgetHandled(database.pool)).toBe(1)
  const { rows } = await database.pool.query('SELECT FROM inbox WHERE event_id = $1', [recent])
  expect(rows).toHaveLength(1)
})
