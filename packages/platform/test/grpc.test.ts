import { join } from 'node:path'
import { IdempotencyClient } from '@cofre/proto/idempotency/v1/idempotency'
import { callRpc, CLIENT_OPTIONS } from '../src/grpc-client'
import { startGrpcServer, type GrpcServer } from '../src/grpc-server'
import { idempotencyService } from '../src/idempotency-server'
import { createLog } from '../src/log'
import { createTestDatabase, createTestTls, type TestDatabase } from '../src/testing'
import { clientCredentials, type Tls } from '../src/tls'

let database: TestDatabase
let server: GrpcServer
let tls: Awaited<ReturnType<typeof createTestTls>>
const clients: IdempotencyClient[] = []

beforeAll(async () => {
  database = await createTestDatabase(join(__dirname, 'migrations'))
  tls = await createTestTls()
  const log = createLog('test', 'silent')
  const options = { host: '127.0.0.1', port: 0, tls: await tls.tlsFor('orders') }
  server = await startGrpcServer(options, [idempotencyService(log, database.pool)])
})
afterAll(async () => {
  for (const client of clients) client.close()
  await server.close()
  await database.drop()
})

function newClient(credentials: Tls): IdempotencyClient {
  const client = new IdempotencyClient(
    `localhost:${server.port}`,
    clientCredentials(credentials),
    CLIENT_OPTIONS,
  )
  clients.push(client)
  return client
}

function findAs(credentials: Tls) {
  const client = newClient(credentials)
  return callRpc(client, client.findRequest, { sellerId: 1, key: 'k' }, { timeoutMs: 10_000 })
}

test('a listed caller is served', async () => {
  await expect(findAs(await tls.tlsFor('gateway'))).rejects.toMatchObject({
    kind: 'not_found',
    reason: 'NOT_FOUND',
  })
})

test('a caller that is not listed is refused, and the refusal is a bug of ours, not of a seller', async () => {
  await expect(findAs(await tls.tlsFor('notifier'))).rejects.toMatchObject({ code: 7 })
})

test('each connection is judged by its own certificate, call after call', async () => {
  const [allowed, refused] = await Promise.all(['gateway', 'notifier'].map((name) => tls.tlsFor(name)))
  const calls = [allowed, refused].map((credentials) => {
    const client = newClient(credentials as Tls)
    return () => callRpc(client, client.findRequest, { sellerId: 1, key: 'k' }, { timeoutMs: 10_000 })
  })
  for (let turn = 1; turn <= 3; turn++) {
    await expect(calls[0]?.()).rejects.toMatchObject({ reason: 'NOT_FOUND' })
    await expect(calls[1]?.()).rejects.toMatchObject({ code: 7 })
  }
})

test('an expired certificate, or one of another authority, gets no connection', async () => {
  const expired = await tls.authority.issue('gateway', { days: -1 })
  await expect(findAs({ ca: tls.authority.cert, ...expired })).rejects.toMatchObject({ kind: 'unavailable' })
  const stranger = await (await createTestTls()).authority.issue('gateway')
  await expect(findAs({ ca: tls.authority.cert, ...stranger })).rejects.toMatchObject({ kind: 'unavailable' })
})
