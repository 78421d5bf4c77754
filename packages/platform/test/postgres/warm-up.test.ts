import { createTestDatabase } from '@cofre/testing/testing'
import { createPool, warmUp } from '../../src/postgres/postgres'

test('connections that are opened ahead wait idle for use', async () => {
  const database = await createTestDatabase()
  const pool = createPool({ url: database.url, max: 4, name: 'test' }, () => {})
  await warmUp(pool, 3)
  expect([pool.totalCount, pool.idleCount]).toEqual([3, 3])
  await Promise.all([1, 2, 3].map(() => pool.query('SELECT 1')))
  expect(pool.totalCount).toBe(3)
  await pool.end()
  await database.drop()
})

test('opening connections ahead does not fail when the database is away', async () => {
  const pool = createPool({ url: 'postgres://127.0.0.1:1/none', max: 4, name: 'test' }, () => {})
  await warmUp(pool, 3)
  expect(pool.totalCount).toBe(0)
  await pool.end()
})
