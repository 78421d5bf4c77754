import { join } from 'node:path'
import { createLog } from '../src/telemetry/log'
import { createTestDatabase, createTestTls, type TestDatabase } from '@cofre/testing/testing'
import { startNameServer } from '@cofre/testing/name-server'

const NAME = 'replicas.example'
const CALLS = 20

let database: TestDatabase
let names: Awaited<ReturnType<typeof startNameServer>>
const known: Record<string, string> = {}
beforeAll(async () => {
  // grpc-js reads this when it is loaded. It lets a target name the name server to ask.
  process.env['GRPC_NODE_USE_ALTERNATIVE_RESOLVER'] = 'true'
  database = await createTestDatabase(join(__dirname, 'migrations'))
  names = await startNameServer(known, /^silent/)
})
const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
  names.close()
  await database.drop()
})

// Other systems have one address on the loopback device.
const onLinux = process.platform === 'linux' ? test : test.skip

onLinux('a replica that takes the place of the only one known is found before a call fails', async () => {
  const { callRpc, CLIENT_OPTIONS } = await import('@cofre/platform/grpc/client')
  const { startGrpcServer } = await import('@cofre/platform/grpc/server')
  const { idempotencyService } = await import('@cofre/platform/idempotency/find-request')
  const { clientCredentials } = await import('@cofre/platform/grpc/tls')
  const { IdempotencyClient } = await import('@cofre/proto/idempotency/v1/idempotency')
  const { tlsFor } = await createTestTls()
  const services = [idempotencyService({ log: createLog('test', 'silent'), pool: database.pool })]
  const start = async (host: string, port: number) => {
    const server = await startGrpcServer({ host, port, tls: await tlsFor(NAME) }, services)
    let closed: Promise<void> | undefined
    const close = () => (closed ??= server.close())
    closers.push(close)
    return { port: server.port, close }
  }

  const first = await start('127.0.0.1', 0)
  known[NAME] = '127.0.0.1'
  const target = `dns://${names.address}/${NAME}:${first.port}`
  const client = new IdempotencyClient(target, clientCredentials(await tlsFor('gateway')), CLIENT_OPTIONS)
  closers.push(() => client.close())
  const ask = () => callRpc(client, client.findRequest, { sellerId: 1, key: 'k' })
  await expect(ask()).rejects.toMatchObject({ kind: 'not_found' })

  await start('127.0.0.2', first.port)
  known[NAME] = '127.0.0.2'
  await first.close()
  for (let call = 0; call < CALLS; call++) await expect(ask()).rejects.toMatchObject({ kind: 'not_found' })
})
