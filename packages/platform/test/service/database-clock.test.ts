import { createTestDatabase, type TestDatabase } from '@cofre/testing/testing'
import { createLog } from '../../src/telemetry/log'
import {
  clockFault,
  clockOffset,
  databaseNow,
  followDatabaseClock,
  onDatabaseClock,
  onOwnClock,
  readClock,
} from '../../src/service/database-clock'

/** More than a reading is wrong by, on a busy machine. */
const NEAR_MS = 1_000
const HOUR_MS = 3_600_000

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(() => jest.restoreAllMocks())
afterAll(() => database.drop())

const right = Date.now.bind(Date)
/** Sets our own clock fast by that much. */
const fastBy = (ms: number) => jest.spyOn(Date, 'now').mockImplementation(() => right() + ms)
const expectNear = (time: number, wanted: number) => expect(Math.abs(time - wanted)).toBeLessThan(NEAR_MS)

test('before the first reading, the time is our own, and nothing is refused', () => {
  fastBy(HOUR_MS)
  expectNear(databaseNow(), right() + HOUR_MS)
  expect([clockOffset(), clockFault()]).toEqual([0, undefined])
})

test.each([HOUR_MS, -HOUR_MS])('a clock that is %d ms fast does not move the time', async (ms) => {
  fastBy(ms)
  await readClock(database.pool)
  expectNear(databaseNow(), right())
  expect(Number.isInteger(databaseNow())).toBe(true)
  expectNear(clockOffset(), ms)
  expectNear(onOwnClock(right() + 500), right() + ms + 500)
  expectNear(onDatabaseClock(right() + ms + 500), right() + 500)
  jest.restoreAllMocks()
  // Until the next reading, a clock that is set meanwhile does not move it either.
  expectNear(databaseNow(), right())
})

test('beyond its setting an offset is a refusal with words, and no more once the clock is right', async () => {
  const log = createLog('test', 'silent')
  fastBy(-31_000)
  const following = await followDatabaseClock(database.pool, { log, mostSeconds: 30 })
  expect(clockFault()).toMatchObject({
    kind: 'unavailable',
    reason: 'SERVICE_UNAVAILABLE',
    message: 'The clock of this process is 31 s off. It sends nothing to partners.',
  })
  fastBy(28_000)
  await readClock(database.pool)
  expect(clockFault()).toBeUndefined()
  await following.stop()
})
