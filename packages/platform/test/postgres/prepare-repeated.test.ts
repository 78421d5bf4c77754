import { createTestDatabase, type TestDatabase } from '@cofre/testing/testing'
import { createPool, withTransaction, type Pool } from '../../src/postgres/postgres'

let database: TestDatabase
let pool: Pool
beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(() => {
  pool = createPool({ url: database.url, max: 1, name: 'test' }, () => {})
})
afterEach(() => pool.end())
afterAll(() => database.drop())

/** The texts that the pool's one connection keeps prepared. */
async function prepared(): Promise<string[]> {
  const { rows } = await pool.query<{ statement: string }>(
    'SELECT statement FROM pg_prepared_statements ORDER BY prepare_time',
  )
  return rows.map(({ statement }) => statement)
}

const ask = (text: string, ...values: unknown[]) => pool.query<{ answer: number }>(text, values)

const SELDOM = 4

test('what is asked often is prepared, in a transaction too, and answers as before', async () => {
  const text = 'SELECT $1::int + 1 AS answer'
  for (let n = 1; n <= SELDOM; n++) expect((await ask(text, n)).rows).toEqual([{ answer: n + 1 }])
  expect(await prepared()).toEqual([])
  expect((await ask(text, 9)).rows).toEqual([{ answer: 10 }])
  expect(await prepared()).toEqual([text])
  const { rows } = await withTransaction(pool, (tx) => tx.query(text, [3]))
  expect(rows).toEqual([{ answer: 4 }])
  await expect(ask(text, 'no number')).rejects.toThrow('invalid input syntax')
  expect((await ask(text, 4)).rows).toEqual([{ answer: 5 }])
})

test('a text that is asked seldom stays unprepared, and so does one that is wrong', async () => {
  for (let n = 1; n <= 9; n++) await ask(`SELECT $1::int + ${n} AS answer`, n)
  for (let n = 1; n <= 9; n++) await expect(ask('SELECT $1::int + nothing', n)).rejects.toThrow('nothing')
  expect(await prepared()).toEqual([])
})

test('several statements in one text run as before, however often', async () => {
  for (let n = 1; n <= 9; n++) await pool.query('SELECT 1; SELECT 2')
  expect(await prepared()).toEqual([])
})

test('however many texts are asked often, a connection keeps a hundred', async () => {
  for (let n = 1; n <= 130; n++) {
    for (let time = 1; time <= SELDOM + 2; time++) {
      expect((await ask(`SELECT $1::int + ${n} AS answer`, time)).rows).toEqual([{ answer: time + n }])
    }
  }
  expect(await prepared()).toHaveLength(100)
})
