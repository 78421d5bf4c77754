import { once } from 'node:events'
import { createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { IdempotencyClient } from '@cofre/proto/idempotency/v1/idempotency'
import { createTestTls } from '@cofre/testing/testing'
import { newCall, runCall } from '../../src/grpc/call-context'
import { callRpc, CLIENT_OPTIONS } from '../../src/grpc/client'
import { clientCredentials } from '../../src/grpc/tls'

const UNITS: Record<string, number> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 0.001, n: 0.000_001 }
const CANCEL = 8

/** The time that a call gives itself in the timeout header of the gRPC protocol, milliseconds. */
function timeoutOf(header: unknown): number {
  const [, digits = '', unit = ''] = /^(\d+)([HMSmun])$/.exec(String(header)) ?? []
  return Number(digits) * (UNITS[unit] ?? NaN)
}

test('a call within a call has no more time than the outer one has left, and no more than its own limit', async () => {
  const tls = await createTestTls()
  const server = createSecureServer(await tls.tlsFor('orders'))
  const timeouts: number[] = []
  server.on('stream', (stream, headers) => {
    timeouts.push(timeoutOf(headers['grpc-timeout']))
    stream.on('error', () => {}).close(CANCEL)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const credentials = clientCredentials(await tls.tlsFor('gateway'))
  const client = new IdempotencyClient(`127.0.0.1:${port}`, credentials, CLIENT_OPTIONS)
  const find = (timeoutMs: number) =>
    callRpc(client, client.findRequest, { sellerId: 1, key: 'k' }, { timeoutMs })
  const within = (callerMs: number, timeoutMs: number) =>
    runCall(newCall({ timeoutMs: callerMs }), () => find(timeoutMs)).catch(() => undefined)

  await within(100_000, 500_000)
  await within(500_000, 100_000)
  client.close()
  server.close()
  expect(timeouts.length).toBeGreaterThanOrEqual(2)
  expect(Math.max(...timeouts)).toBeLessThanOrEqual(100_000)
})

test('a call whose time is over does not begin', async () => {
  const tls = await createTestTls()
  const credentials = clientCredentials(await tls.tlsFor('gateway'))
  const client = new IdempotencyClient('127.0.0.1:1', credentials, CLIENT_OPTIONS)
  const over = runCall(newCall({ timeoutMs: -1 }), () =>
    callRpc(client, client.findRequest, { sellerId: 1, key: 'k' }),
  )
  await expect(over).rejects.toMatchObject({ kind: 'unavailable' })
  client.close()
})
