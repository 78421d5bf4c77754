import { join } from 'node:path'
import { callRpc } from '@cofre/platform/grpc/client'
import { CardKind, VaultAdminClient, VaultClient } from '@cofre/proto/vault/v1/vault'
import { serviceProgram, type ServiceProgram } from '@cofre/testing/service-program'
import { openTestNetwork, type TestNetwork } from '@cofre/testing/test-network'
import { createTestDatabase, eventually, type TestDatabase } from '@cofre/testing/testing'
import { card, FIRST_KEK, SELLER } from './support/vault'

let database: TestDatabase
let network: TestNetwork
let program: ServiceProgram
beforeAll(async () => {
  database = await createTestDatabase()
  network = await openTestNetwork()
  program = serviceProgram(join(__dirname, '../dist/main.js'), {
    tls: await network.tlsFor('vault'),
    settings: { DATABASE_URL: database.url },
    files: { KEY_ENCRYPTION_KEYS_FILE: FIRST_KEK, PARTNERS_FILE: '{}' },
  })
})
afterAll(async () => {
  await program.remove()
  await network.close()
  await database.drop()
})

/** Three batches of a rotation. */
const CARDS = 460

async function clientsOf(port: number) {
  const address = `127.0.0.1:${port}`
  const gateway = await network.clientOf(VaultClient, address, 'gateway')
  const admin = await network.clientOf(VaultAdminClient, address, 'cofrectl')
  return { gateway, admin }
}

async function count(where: string): Promise<number> {
  return (await database.pool.query(`SELECT count(*) FROM ${where}`)).rows[0].count
}

test('two processes that start at once on a new database agree on its keys, and stop when asked', async () => {
  expect(await program.start(['migrate']).exited).toBe(0)
  const both = [program.start(), program.start()]
  await Promise.all(both.map(({ serving }) => serving))

  expect(await count('data_keys')).toBe(4)
  for (const { kill } of both) kill('SIGTERM')
  expect(await Promise.all(both.map(({ exited }) => exited))).toEqual([0, 0])
})

test('a missing setting ends the process and is named', async () => {
  const { exited, stderr } = program.start([], { PARTNERS_FILE: '/nowhere' })

  expect(await exited).toBe(1)
  expect(stderr()).toContain('PARTNERS_FILE is invalid: the file cannot be read')
})

test('a process killed in the middle of a rotation serves again, and the next rotation completes', async () => {
  const first = program.start()
  const { gateway, admin } = await clientsOf(await first.serving)
  const body = Buffer.from(JSON.stringify(card()))
  const kind = CardKind.UNSPECIFIED
  const { cards } = await callRpc(gateway, gateway.sealCardData, {
    sellerId: SELLER,
    body,
    kind,
    invoiceIds: [],
  })
  const handle = cards[0]?.handle ?? ''
  const tokens: string[] = []
  while (tokens.length < CARDS) {
    const some = Array.from({ length: 20 }, () =>
      callRpc(gateway, gateway.storeCard, { sellerId: SELLER, handle }),
    )
    tokens.push(...(await Promise.all(some)).map(({ token }) => token))
  }
  const newKey = '(SELECT id FROM data_keys WHERE retired_at IS NULL)'
  const oldKey = (await database.pool.query('SELECT data_key_id AS id FROM cards LIMIT 1')).rows[0].id
  const sealedAnew = `cards WHERE data_key_id <> '${oldKey}' AND data_key_id IN ${newKey}`
  await database.pool.query(
    `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END $$;
     CREATE TRIGGER slow AFTER UPDATE ON cards FOR EACH STATEMENT EXECUTE FUNCTION slow()`,
  )
  const cut = callRpc(admin, admin.rotateDataKey, {}).catch((error: unknown) => error)
  await eventually(async () => expect(await count(sealedAnew)).toBeGreaterThan(0))
  first.kill('SIGKILL')
  await first.exited

  expect(await cut).toMatchObject({ kind: 'unavailable' })
  await database.pool.query('DROP FUNCTION slow CASCADE')
  const half = await count(sealedAnew)
  expect(half).toBeGreaterThan(0)
  expect(half).toBeLessThan(CARDS)

  const second = program.start()
  const again = await clientsOf(await second.serving)
  const rotated = await eventually(() => callRpc(again.admin, again.admin.rotateDataKey, {}))
  expect(rotated).toMatchObject({ cardsEncrypted: CARDS, keysDestroyed: 2 })
  expect(await count(`cards WHERE data_key_id = '${rotated.dataKeyId}'`)).toBe(CARDS)
  expect(await count(`data_keys WHERE purpose = 'card'`)).toBe(1)
  const token = tokens.at(-1) ?? ''
  const shown = await callRpc(again.gateway, again.gateway.describeCard, { sellerId: SELLER, token })
  expect(shown.card?.lastFour).toBe('1111')
  second.kill('SIGTERM')
  expect(await second.exited).toBe(0)
})
