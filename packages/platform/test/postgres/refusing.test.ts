import { createTestDatabase, PATIENT, type TestDatabase } from '@cofre/testing/testing'
import { createPool, isDatabaseDown, withTransaction, type Pool } from '../../src/postgres/postgres'

let database: TestDatabase
let pool: Pool
beforeEach(async () => {
  database = await createTestDatabase()
  await database.pool.query('CREATE TABLE things (id int)')
  pool = createPool({ url: database.url, max: 1, name: 'test', ...PATIENT }, () => {})
})
afterEach(async () => {
  await pool.end()
  await database.drop()
})

const add = () => withTransaction(pool, (tx) => tx.query('INSERT INTO things VALUES (1)'))
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

test.each([
  ['a user who may not log in', (url: URL) => (url.username = 'nobody_of_that_name'), /^28/],
  ['a database that is gone', (url: URL) => (url.pathname = 'no_such_database'), /^3D000/],
])('%s is a database that is down', async (_case, change, code) => {
  const url = new URL(database.url)
  change(url)
  const other = createPool({ url: url.href, max: 1, name: 'test', ...PATIENT }, () => {})
  const error = await failureOf(other.query('SELECT 1'))
  expect((error as { code: string }).code).toMatch(code)
  expect(isDatabaseDown(error)).toBe(true)
  await other.end()
})

test('a server that only reads is down, and a transaction after it takes a new connection', async () => {
  const { rows } = await database.pool.query('SELECT current_database() AS name')
  const [{ name }] = rows
  await database.pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
  expect(isDatabaseDown(await failureOf(add()))).toBe(true)
  // As after a failover: the connection that was open still reads only, a new one writes.
  await database.pool.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`)
  await add()
  expect((await database.pool.query('SELECT FROM things')).rowCount).toBe(1)
})

test('a statement that is wrong is no database that is down', async () => {
  expect(isDatabaseDown(await failureOf(pool.query('SELECT nothing')))).toBe(false)
})
