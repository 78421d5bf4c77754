import { join } from 'node:path'
import { withTransaction } from '@cofre/platform/postgres/postgres'
import { sealSecret } from '@cofre/platform/secret-box'
import { createTestDatabase, type TestDatabase } from '@cofre/testing/testing'
import {
  forgetRetiredSecrets,
  rotateSecret,
  secretsOfAll,
  secretsOfSeller,
} from '../src/secrets/secret-store'

const key = Buffer.alloc(32, 7)
let database: TestDatabase
let endpointId: number

const query = (text: string, values: unknown[]) => database.pool.query(text, values)

/** Stores a secret, retired the given hours ago, if any. */
async function store(owner: { sellerId: number } | { endpointId: number }, secret: string, hours?: number) {
  const [name, column, id] =
    'sellerId' in owner
      ? ['seller', 'seller_id', owner.sellerId]
      : ['endpoint', 'endpoint_id', owner.endpointId]
  await query(
    `INSERT INTO signing_secrets (${column}, sealed, retired_at) VALUES ($1, $2, now() - $3::interval)`,
    [
      id,
      sealSecret(key, secret, `signing secret of ${name} ${id}`),
      hours === undefined ? null : `${hours} hours`,
    ],
  )
}

beforeAll(async () => {
  database = await createTestDatabase(join(__dirname, '../migrations'))
  const { rows } = await database.pool.query<{ id: number }>(
    "INSERT INTO endpoints (seller_id, url, events) VALUES (7, 'https://shop.example/hooks', '{}') RETURNING id",
  )
  endpointId = rows[0]?.id ?? 0
  await store({ sellerId: 7 }, 'seller, forgotten', 25)
  await store({ sellerId: 7 }, 'seller, retired', 2)
  await store({ sellerId: 7 }, 'seller, current')
  await store({ endpointId }, 'endpoint, forgotten', 25)
  await store({ endpointId }, 'endpoint, retired', 3)
  await store({ endpointId }, 'endpoint, current')
})
afterAll(() => database.drop())

const ofSeller = () => secretsOfSeller(database.pool, key, 7)
const ofEndpoint = async () => (await secretsOfAll(database.pool, key, [{ endpointId }]))[0] ?? []

test('sellers and endpoints each have their own secrets, and a retired one signs for 24 hours', async () => {
  expect(await ofSeller()).toEqual(['seller, current', 'seller, retired'])
  expect(await ofEndpoint()).toEqual(['endpoint, current', 'endpoint, retired'])
})

test('each owner has one current secret', async () => {
  await expect(store({ sellerId: 7 }, 'a second current one')).rejects.toThrow('one_current')
  const made = await withTransaction(database.pool, (tx) => rotateSecret(tx, key, { endpointId }))
  expect((await ofEndpoint()).slice(0, 2)).toEqual([made, 'endpoint, current'])
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
