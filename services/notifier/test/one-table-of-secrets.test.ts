import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '@cofre/platform/postgres/migrate'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import { sealSecret } from '@cofre/platform/secret-box'
import { createTestDatabase, type TestDatabase } from '@cofre/testing/testing'
import {
  forgetRetiredSecrets,
  rotateSecret,
  secretsOfAll,
  secretsOfSeller,
} from '../src/secrets/secret-store'

const MIGRATIONS = join(__dirname, '../migrations')
const key = Buffer.alloc(32, 7)
let before: string
let database: TestDatabase
let endpointId: number

const query = (text: string, values: unknown[]) => database.pool.query(text, values)
const sealedOf = (owner: string, secret: string) => sealSecret(key, secret, `signing secret of ${owner}`)

/** Stores a secret as the previous version did, retired the given hours ago, if any. */
async function keepOld(table: string, [column, id]: [string, number], secret: string, hours?: number) {
  const owner = `${column === 'seller_id' ? 'seller' : 'endpoint'} ${id}`
  await query(`INSERT INTO ${table} (${column}, sealed, retired_at) VALUES ($1, $2, now() - $3::interval)`, [
    id,
    sealedOf(owner, secret),
    hours === undefined ? null : `${hours} hours`,
  ])
}

beforeAll(async () => {
  before = mkdtempSync(join(tmpdir(), 'cofre-migrations-'))
  for (const name of readdirSync(MIGRATIONS).filter((each) => !(each >= '007' && each.endsWith('.sql')))) {
    cpSync(join(MIGRATIONS, name), join(before, name))
  }
  database = await createTestDatabase(before)
  const { rows } = await database.pool.query<{ id: number }>(
    "INSERT INTO endpoints (seller_id, url, events) VALUES (7, 'https://shop.example/hooks', '{}') RETURNING id",
  )
  endpointId = rows[0]?.id ?? 0
  await keepOld('secrets', ['seller_id', 7], 'seller, forgotten', 25)
  await keepOld('secrets', ['seller_id', 7], 'seller, retired', 2)
  await keepOld('secrets', ['seller_id', 7], 'seller, current')
  await keepOld('endpoint_secrets', ['endpoint_id', endpointId], 'endpoint, forgotten', 25)
  await keepOld('endpoint_secrets', ['endpoint_id', endpointId], 'endpoint, retired', 3)
  await keepOld('endpoint_secrets', ['endpoint_id', endpointId], 'endpoint, current')
  await migrate(database.pool, MIGRATIONS)
})
afterAll(async () => {
  await database.drop()
  rmSync(before, { recursive: true })
})

const ofSeller = () => secretsOfSeller(database.pool, key, 7)
const ofEndpoint = async () => (await secretsOfAll(database.pool, key, [{ endpointId }]))[0] ?? []

test('an upgrade keeps every secret with its owner, and a retired one signs until its 24 hours are over', async () => {
  expect(await ofSeller()).toEqual(['seller, current', 'seller, retired'])
  expect(await ofEndpoint()).toEqual(['endpoint, current', 'endpoint, retired'])
})

test('a replica of the previous version still rotates during a rolling upgrade, and both versions see it', async () => {
  for (const [table, column, id] of [
    ['secrets', 'seller_id', 7],
    ['endpoint_secrets', 'endpoint_id', endpointId],
  ] as const) {
    await query(`UPDATE ${table} SET retired_at = now() WHERE ${column} = $1 AND retired_at IS NULL`, [id])
    await keepOld(table, [column, id], `${table}, next`)
    await expect(keepOld(table, [column, id], 'a second current one')).rejects.toThrow('one_current')
  }
  expect((await ofSeller()).slice(0, 2)).toEqual(['secrets, next', 'seller, current'])
  expect((await ofEndpoint()).slice(0, 2)).toEqual(['endpoint_secrets, next', 'endpoint, current'])
})

test('each owner has one current secret', async () => {
  const made = await withTransaction(database.pool, (tx) => rotateSecret(tx, key, { endpointId }))
  expect((await ofEndpoint())[0]).toBe(made)
  const { rows } = await database.pool.query('SELECT FROM signing_secrets WHERE retired_at IS NULL')
  expect(rows).toHaveLength(2)
})

test('secrets that no longer sign are forgotten, 500 at once, and those of an endpoint go with it', async () => {
  await query(
    `INSERT INTO signing_secrets (seller_id, sealed, retired_at)
     SELECT 1000 + n, '', now() - interval '25 hours' FROM generate_series(1, $1) AS n`,
    [500],
  )
  expect(await forgetRetiredSecrets(database.pool)).toBe(500)
  expect(await forgetRetiredSecrets(database.pool)).toBe(2)
  expect(await forgetRetiredSecrets(database.pool)).toBe(0)
  await query('DELETE FROM endpoints WHERE id = $1', [endpointId])
  expect(await ofEndpoint()).toEqual([])
  expect((await ofSeller()).length).toBeGreaterThan(0)
})
