import { join } from 'node:path'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { createTestDatabase, type TestDatabase } from '@cofre/testing/testing'
import { openSigningKeys } from '../../src/sellers/api-tokens/signing-keys'

const SEALING_KEY = Buffer.alloc(32, 7)

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase(join(__dirname, '../../migrations'))
})
afterEach(() => database.drop())

/** Two replicas. Each time that the second loads keys, `loads` counts it and `pass` holds its answer up. */
async function openReplicas() {
  const seen = { loads: 0, pass: async () => {} }
  const query = async (text: string, values?: unknown[]) => {
    const answer = await database.pool.query(text, values)
    if (!text.includes('revoked_at IS NULL')) return answer
    seen.loads += 1
    await seen.pass()
    return answer
  }
  const watched = Object.create(database.pool, { query: { value: query } }) as Pool
  const [here, there] = [
    await openSigningKeys(database.pool, SEALING_KEY),
    await openSigningKeys(watched, SEALING_KEY),
  ]
  return { here, there, seen }
}

test('a new key is known at once to a replica that looked for a key a moment before', async () => {
  const { here, there } = await openReplicas()
  expect(await there.publicKey('a stranger’s')).toBeUndefined()
  expect(await there.publicKey(await here.rotate())).toBeDefined()
})

test('a new key is known to a replica that was loading its keys when the key was made', async () => {
  const { here, there, seen } = await openReplicas()
  let open = () => {}
  const gate = new Promise<void>((resolve) => (open = resolve))
  const begun = new Promise<void>((resolve) => {
    seen.pass = () => (resolve(), gate)
  })
  const stranger = there.publicKey('a stranger’s')
  await begun
  const lookup = there.publicKey(await here.rotate())
  open()
  expect(await stranger).toBeUndefined()
  expect(await lookup).toBeDefined()
})

test('however many unknown keys strangers name, the keys are loaded at most once a second', async () => {
  const { here, there, seen } = await openReplicas()
  const { kid } = await here.current()
  const startedAt = Date.now()
  for (let round = 0; round < 2; round++) {
    const strangers = Array.from({ length: 200 }, (_, nth) => there.publicKey(`stranger ${nth}`))
    expect(await there.publicKey(kid)).toBeDefined()
    expect(new Set(await Promise.all(strangers))).toEqual(new Set([undefined]))
  }
  expect(seen.loads).toBeLessThanOrEqual(1 + (Date.now() - startedAt) / 1_000)
})
