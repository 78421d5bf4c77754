import { join } from 'node:path'
import { callRpc } from '@cofre/platform/grpc/client'
import { serviceProgram, type ServiceProgram } from '@cofre/testing/service-program'
import { openTestNetwork, type TestNetwork } from '@cofre/testing/test-network'
import { createTestDatabase, type TestDatabase } from '@cofre/testing/testing'
import { NetworkTokensClient } from '@cofre/proto/networktoken/v1/networktoken'

let database: TestDatabase
let network: TestNetwork
let program: ServiceProgram

beforeAll(async () => {
  database = await createTestDatabase()
  network = await openTestNetwork()
  program = serviceProgram(join(__dirname, '../dist/main.js'), {
    tls: await network.tlsFor('network-token'),
    settings: {
      DATABASE_URL: database.url,
      EVENT_LOG_URL: database.url,
      VAULT_ADDRESS: '127.0.0.1:1',
    },
    files: { TOKEN_SERVICE_SECRET_FILE: `whsec_${Buffer.alloc(32).toString('base64')}\n` },
  })
})
afterAll(async () => {
  await program.remove()
  await network.close()
  await database.drop()
})

test('migrates, serves, and stops when asked', async () => {
  expect(await program.start(['migrate']).exited).toBe(0)
  const service = program.start()
  const address = `127.0.0.1:${await service.serving}`
  const client = await network.clientOf(NetworkTokensClient, address, 'gateway')
  const missing = callRpc(client, client.getToken, { sellerId: 1, token: 'a'.repeat(64) })
  await expect(missing).rejects.toMatchObject({ kind: 'not_found' })
  service.kill('SIGTERM')
  expect(await service.exited).toBe(0)
})

test('does not start with settings that are missing or bad, and names them', async () => {
  const { TLS_KEY_FILE = '' } = program.settings
  const service = program.start([], { TOKEN_SERVICE_SECRET_FILE: TLS_KEY_FILE, VAULT_ADDRESS: 'vault' })
  expect(await service.exited).toBe(1)
  expect(service.stderr()).toMatch(/TOKEN_SERVICE_SECRET_FILE is invalid/)
  expect(service.stderr()).toMatch(/VAULT_ADDRESS is invalid/)
  expect(service.stderr()).not.toContain('PRIVATE')
})
