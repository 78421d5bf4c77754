import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { createTestDatabase, type TestDatabase } from '@cofre/testing/testing'
import { checkKey } from '../../src/service/key-check'

const NAME = 'SECRET_KEY'

let database: TestDatabase
beforeAll(async () => {
  const dir = mkdtempSync(join(tmpdir(), 'cofre-key-check-'))
  writeFileSync(join(dir, 'platform-tables.json'), '["key_checks"]')
  database = await createTestDatabase(dir)
  rmSync(dir, { recursive: true })
})
beforeEach(() => database.pool.query('TRUNCATE key_checks'))
afterAll(() => database.drop())

test('the key of the first start is good at each later one; another is refused by its name', async () => {
  const key = randomBytes(32)
  await checkKey(database.pool, NAME, key)
  await checkKey(database.pool, NAME, Buffer.from(key))
  const other = checkKey(database.pool, NAME, randomBytes(32))
  await expect(other).rejects.toThrow(/^SECRET_KEY is not the key /)
  await checkKey(database.pool, NAME, key)
})

test('each name has a key of its own', async () => {
  await checkKey(database.pool, NAME, randomBytes(32))
  await checkKey(database.pool, 'TOKEN_KEY', randomBytes(32))
})

test('of two processes that start first with different keys, one is refused', async () => {
  const starts = [1, 2].map(() => checkKey(database.pool, NAME, randomBytes(32)))
  const outcomes = (await Promise.allSettled(starts)).map(({ status }) => status)
  expect(outcomes.toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('the value that is kept tells nothing of the key', async () => {
  const key = randomBytes(32)
  await checkKey(database.pool, NAME, key)
  const { rows } = await database.pool.query<{ sealed: Buffer }>('SELECT sealed FROM key_checks')
  expect(rows[0]?.sealed.includes(key)).toBe(false)
})
