import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { IdempotencyClient } from '@cofre/proto/idempotency/v1/idempotency'
import { openLine } from '@cofre/testing/tcp-line'
import { createTestDatabase, createTestTls, type TestDatabase } from '@cofre/testing/testing'
import { callRpc, CLIENT_OPTIONS, limitCalls, wasNotSent } from '../../src/grpc/client'
import { startGrpcServer, type GrpcServer } from '../../src/grpc/server'
import { clientCredentials } from '../../src/grpc/tls'
import { idempotencyService } from '../../src/idempotency/find-request'
import { createLog } from '../../src/telemetry/log'

const SHORT_MS = 300

let database: TestDatabase
let server: GrpcServer
let tls: Awaited<ReturnType<typeof createTestTls>>
const clients: IdempotencyClient[] = []
beforeAll(async () => {
  database = await createTestDatabase(join(__dirname, '../migrations'))
  tls = await createTestTls()
  const options = { host: '127.0.0.1', port: 0, tls: await tls.tlsFor('orders') }
  const log = createLog('test', 'silent')
  server = await startGrpcServer(options, [idempotencyService({ log, pool: database.pool })])
})
afterAll(async () => {
  for (const client of clients) client.close()
  await server.close()
  await database.drop()
})

async function clientOf(port: number): Promise<IdempotencyClient> {
  const credentials = clientCredentials(await tls.tlsFor('gateway'))
  const client = new IdempotencyClient(`127.0.0.1:${port}`, credentials, CLIENT_OPTIONS)
  clients.push(client)
  return client
}

const ask = (client: IdempotencyClient, timeoutMs?: number) =>
  callRpc(client, client.findRequest, { sellerId: 1, key: 'k' }, timeoutMs ? { timeoutMs } : {}).then(
    () => undefined,
    (error: { reason?: string }) => ({ reason: error.reason, wasNotSent: wasNotSent(error) }),
  )

test('where nobody listens, nothing was sent', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  expect(await ask(await clientOf(port))).toEqual({ reason: 'SERVICE_UNAVAILABLE', wasNotSent: true })
})

test('where a connection is not made in time, nothing was sent', async () => {
  const open: Socket[] = []
  const silent = createServer((socket) => open.push(socket.on('error', () => {}).resume()))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const client = await clientOf((silent.address() as AddressInfo).port)
  expect(await ask(client, SHORT_MS)).toEqual({ reason: 'SERVICE_UNAVAILABLE', wasNotSent: true })
  expect(await ask(limitCalls(client, SHORT_MS))).toMatchObject({ wasNotSent: true })
  client.close()
  for (const socket of open) socket.destroy()
  silent.close()
})

test('a call waits for a connection that is being made', async () => {
  const line = await openLine({ host: '127.0.0.1', port: server.port })
  line.passes = false
  const client = await clientOf(line.port)
  const early = ask(client, SHORT_MS)
  const asked = ask(client)
  expect(await early).toMatchObject({ wasNotSent: true })
  // The line lost the bytes that it swallowed. The next connection passes them.
  await line.cut()
  const next = await openLine({ host: '127.0.0.1', port: server.port }, line.port)
  expect(await asked).toEqual({ reason: 'NOT_FOUND', wasNotSent: false })
  client.close()
  await next.cut()
})

test('a call that has left and is not answered may have been done', async () => {
  const line = await openLine({ host: '127.0.0.1', port: server.port })
  const client = await clientOf(line.port)
  expect(await ask(client)).toEqual({ reason: 'NOT_FOUND', wasNotSent: false })
  line.passes = false
  expect(await ask(client, SHORT_MS)).toEqual({ reason: 'SERVICE_UNAVAILABLE', wasNotSent: false })
  const cut = ask(client)
  await line.cut()
  expect(await cut).toMatchObject({ wasNotSent: false })
})
