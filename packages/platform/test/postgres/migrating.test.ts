import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, eventually, type TestDatabase } from '@cofre/testing/testing'
import { migrate } from '../../src/postgres/migrate'
import { withTransaction } from '../../src/postgres/postgres'

let dir: string
let database: TestDatabase
const write = (name: string, sql: string) => writeFileSync(join(dir, name), sql)
const columns = async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    "SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'sold' ORDER BY 1",
  )
  return rows.map(({ name }) => name)
}

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'cofre-migrating-'))
  write('platform-tables.json', '[]')
  write('001_sold.sql', 'CREATE TABLE sold (id int);')
  database = await createTestDatabase(dir)
})
afterEach(async () => {
  await database.drop()
  rmSync(dir, { recursive: true })
})

test('a migration that waits for a long reader lets others read and write meanwhile, and is made afterwards', async () => {
  write('002_amount.sql', 'ALTER TABLE sold ADD COLUMN amount int;')
  const { pool } = database
  const migrating = await withTransaction(pool, async (reader) => {
    await reader.query('SELECT FROM sold')
    const running = migrate(pool, dir)
    const waits = "SELECT FROM pg_locks WHERE relation = 'sold'::regclass AND NOT granted"
    await eventually(async () => expect((await pool.query(waits)).rowCount).toBe(1))
    // It would wait behind the migration, which waits for the reader.
    await pool.query('INSERT INTO sold VALUES (1)')
    expect(await columns()).toEqual(['id'])
    return { running }
  })
  await migrating.running
  expect(await columns()).toEqual(['amount', 'id'])
  expect((await pool.query('SELECT FROM sold')).rowCount).toBe(1)
})

test('a file that fails leaves nothing of itself, and the files before it stay', async () => {
  write('002_amount.sql', 'ALTER TABLE sold ADD COLUMN amount int;')
  write('003_wrong.sql', 'ALTER TABLE sold ADD COLUMN paid int; ALTER TABLE missing ADD COLUMN x int;')
  await expect(migrate(database.pool, dir)).rejects.toThrow('missing')
  expect(await columns()).toEqual(['amount', 'id'])
  write('003_wrong.sql', 'ALTER TABLE sold ADD COLUMN paid int;')
  await migrate(database.pool, dir)
  expect(await columns()).toEqual(['amount', 'id', 'paid'])
})
