import { once } from 'node:events'
import { createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { IdempotencyClient } from '@cofre/proto/idempotency/v1/idempotency'
import { callRpc, CLIENT_OPTIONS } from '../src/grpc/client'
import { startGrpcServer, type GrpcServer } from '../src/grpc/server'
import { idempotencyService } from '../src/idempotency/find-request'
import { createLog } from '../src/telemetry/log'
import { createTestDatabase, createTestTls, type TestDatabase } from '@cofre/testing/testing'
import { clientCredentials, type Tls } from '../src/grpc/tls'

/** The error code of HTTP/2 (RFC 9113, section 7). */
const INTERNAL_ERROR = 2

let database: TestDatabase
let server: GrpcServer
let tls: Awaited<ReturnType<typeof createTestTls>>
const clients: IdempotencyClient[] = []
const lines: string[] = []

beforeAll(async () => {
  database = await createTestDatabase(join(__dirname, 'migrations'))
  tls = await createTestTls()
  const log = createLog('test', 'silent')
  const told = createLog('test', 'info', { write: (line) => void lines.push(line) })
  const options = { host: '127.0.0.1', port: 0, tls: await tls.tlsFor('orders'), log: told }
  server = await startGrpcServer(options, [idempotencyService({ log, pool: database.pool })])
})
afterAll(async () => {
  for (const client of clients) client.close()
  await server.close()
  await database.drop()
})

function newClient(credentials: Tls): IdempotencyClient {
  const client = new IdempotencyClient(
    `127.0.0.1:${server.port}`,
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

test('a caller that is not listed is refused, and the refusal is our bug, not the fault of a seller', async () => {
  await expect(findAs(await tls.tlsFor('notifier'))).rejects.toMatchObject({ code: 7 })
  const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(told.find(({ msg }) => msg === 'certificate not allowed to call')).toMatchObject({
    rpc: 'idempotency.v1.Idempotency/FindRequest',
    names: expect.arrayContaining(['DNS:notifier']),
    address: expect.stringMatching(/127\.0\.0\.1|::1/),
  })
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

test('a call whose stream breaks off may have been done: a caller that writes gets OUTCOME_UNKNOWN', async () => {
  const breaking = createSecureServer(await tls.tlsFor('orders'))
  breaking.on('stream', (stream) => stream.on('error', () => {}).close(INTERNAL_ERROR))
  breaking.listen(0, '127.0.0.1')
  await once(breaking, 'listening')
  const { port } = breaking.address() as AddressInfo
  const credentials = clientCredentials(await tls.tlsFor('gateway'))
  const client = new IdempotencyClient(`127.0.0.1:${port}`, credentials, CLIENT_OPTIONS)
  const find = (writes: boolean) => callRpc(client, client.findRequest, { sellerId: 1, key: 'k' }, { writes })
  await expect(find(true)).rejects.toMatchObject({ reason: 'OUTCOME_UNKNOWN' })
  await expect(find(false)).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' })
  client.close()
  breaking.close()
})

test('while connections reach their age limit and replicas restart, each call is answered or cut off', async () => {
  const log = createLog('test', 'silent')
  const start = async (port: number) => {
    const options = { host: '127.0.0.1', port, tls: await tls.tlsFor('orders'), maxConnectionAgeMs: 300 }
    return startGrpcServer(options, [idempotencyService({ log, pool: database.pool })])
  }
  const replicas = [await start(0), await start(0)]
  const target = `ipv4:${replicas.map(({ port }) => `127.0.0.1:${port}`).join(',')}`
  const client = new IdempotencyClient(target, clientCredentials(await tls.tlsFor('gateway')), CLIENT_OPTIONS)
  clients.push(client)
  const answers: string[] = []
  let stopping = false
  const callers = Array.from({ length: 8 }, async () => {
    while (!stopping) {
      const options = { timeoutMs: 10_000, writes: true }
      const answer = callRpc(client, client.findRequest, { sellerId: 1, key: 'k' }, options)
      answers.push(await answer.then(String, ({ reason, message }) => reason ?? message))
    }
  })
  for (const index of [0, 1, 0, 1]) {
    const { port } = replicas[index] as GrpcServer
    await replicas[index]?.close()
    await pause(200)
    replicas[index] = await start(port)
    await pause(200)
  }
  stopping = true
  await Promise.all(callers)
  await Promise.all(replicas.map((replica) => replica.close()))
  // Now and then grpc-js ends a connection with a protocol error, and cuts off the calls on it. Nothing else is lost.
  expect([...new Set(answers)].filter((answer) => answer !== 'OUTCOME_UNKNOWN')).toEqual(['NOT_FOUND'])
})
