import { join } from 'node:path'
import { freePorts } from '@cofre/engines/ports'
import { IdempotencyClient } from '@cofre/proto/idempotency/v1/idempotency'
import { createTestDatabase, createTestTls } from '@cofre/testing/testing'
import { callRpc, CLIENT_OPTIONS } from '../../src/grpc/client'
import { startGrpcServer } from '../../src/grpc/server'
import { clientCredentials } from '../../src/grpc/tls'
import { idempotencyService } from '../../src/idempotency/find-request'
import { createLog, type Logger } from '../../src/telemetry/log'
import { startTelemetry } from '../../src/telemetry/telemetry'

const RPC = 'idempotency.v1.Idempotency/FindRequest'

/** Calls as the notifier, which is not allowed. */
async function refusedBy(log: Logger | undefined, { named = true } = {}): Promise<{ details?: string }> {
  const tls = await createTestTls()
  const database = await createTestDatabase(join(__dirname, '../migrations'))
  const service = idempotencyService({ log: createLog('test', 'silent'), pool: database.pool })
  const options = { host: '127.0.0.1', port: 0, tls: await tls.tlsFor('orders'), ...(log ? { log } : {}) }
  const server = await startGrpcServer(options, [service])
  const pair = await tls.authority.issue('notifier', { named })
  const credentials = clientCredentials({ ca: tls.authority.cert, ...pair })
  const client = new IdempotencyClient(`127.0.0.1:${server.port}`, credentials, CLIENT_OPTIONS)
  try {
    const call = callRpc(client, client.findRequest, { sellerId: 1, key: 'k' }, { timeoutMs: 60_000 })
    return await call.then(
      () => ({}),
      (error: { details?: string }) => error,
    )
  } finally {
    client.close()
    await server.close()
    await database.drop()
  }
}

test('a refusal names the RPC, is counted, and is logged where there is a log', async () => {
  const [metricsPort = 0] = await freePorts(1)
  const settings = { metricsPort, metricsHost: '127.0.0.1', otelTracesSamplerArg: 0 }
  const telemetry = await startTelemetry('test', settings)
  const lines: string[] = []
  const log = createLog('test', 'info', { write: (line) => void lines.push(line) })
  try {
    for (const each of [log, undefined])
      expect(await refusedBy(each)).toMatchObject({ code: 7, details: `not allowed to call /${RPC}` })
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { rpc: RPC, names: expect.arrayContaining(['DNS:notifier']), msg: 'certificate not allowed to call' },
    ])
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    expect(text).toContain('# HELP rpc_callers_refused_total Calls refused')
    expect(/^rpc_callers_refused_total\{[^}]*rpc="([^"]*)"[^}]*\} (\d+)$/m.exec(text)?.slice(1)).toEqual([
      RPC,
      '2',
    ])
  } finally {
    await telemetry.stop()
  }
})

test('a certificate without a DNS name is refused as well', async () => {
  const lines: string[] = []
  const log = createLog('test', 'info', { write: (line) => void lines.push(line) })
  expect(await refusedBy(log, { named: false })).toMatchObject({
    code: 7,
    details: `not allowed to call /${RPC}`,
  })
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ rpc: RPC, names: [] }])
})
