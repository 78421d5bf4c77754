import { createTestDatabase } from '@cofre/testing/testing'
import { createPool, warmUp } from '../../src/postgres/postgres'

test('connections that are opened ahead rest for whoever comes', async () => {
  const database = await createTestDatabase()
  const pool = createPool({ url: database.url, max: 4, name: 'test' }, () => {})
  await warmUp(pool, 3)
  expect([pool.totalCount, pool.idleCount]).toEqual([3, 3])
  await Promise.all([1, 2, 3].map(() => pool.query('SELECT 1')))
  expect(pool.totalCount).toBe(3)
  await pool.end()
  await database.drop()
})

test('a database that is away fails nobody ahead of time', async () => {
  const pool = createPool({ url: 'postgres://127.0.0.1:1/none', max: 4, name: 'test' }, () => {})
  await warmUp(pool, 3)
  expect(pool.totalCount).toBe(0)
  await pool.end()
})
