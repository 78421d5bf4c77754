import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Server } from '@grpc/grpc-js'
import { HealthImplementation } from 'grpc-health-check'
import { startGrpcServer } from '../src/grpc/server'
import { probeHealth } from '../src/grpc/health-probe'
import { createTestTls } from '@cofre/testing/testing'
import { serverCredentials, type Tls } from '../src/grpc/tls'

const dir = mkdtempSync(join(tmpdir(), 'health-'))
let authority: Awaited<ReturnType<typeof createTestTls>>
let tls: Tls

beforeAll(async () => {
  authority = await createTestTls()
  tls = await authority.tlsFor('vault')
})
afterAll(() => rmSync(dir, { recursive: true }))

function settings(port: number, own: Tls = tls): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { GRPC_PORT: String(port), GRPC_HOST: '0.0.0.0' }
  for (const part of ['ca', 'cert', 'key'] as const) {
    env[`TLS_${part.toUpperCase()}_FILE`] = join(dir, part)
    writeFileSync(join(dir, part), own[part])
  }
  return env
}

/** Starts a server like ours, with the health that the test chooses. */
async function startAs(status: 'SERVING' | 'NOT_SERVING'): Promise<{ port: number; server: Server }> {
  const server = new Server()
  new HealthImplementation({ '': status }).addToServer(server)
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', serverCredentials(tls), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  )
  return { port, server }
}

test('a service that serves is healthy, by its own settings', async () => {
  const server = await startGrpcServer({ host: '127.0.0.1', port: 0, tls }, [])
  await expect(probeHealth(settings(server.port))).resolves.toBe(true)
  await server.close()
})

test('a service that is about to stop is not healthy', async () => {
  const { port, server } = await startAs('NOT_SERVING')
  await expect(probeHealth(settings(port))).resolves.toBe(false)
  server.forceShutdown()
})

test('a service that is away, or has a certificate of another authority, is not healthy', async () => {
  const { port, server } = await startAs('SERVING')
  await expect(probeHealth(settings(port, await (await createTestTls()).tlsFor('vault')))).resolves.toBe(
    false,
  )
  server.forceShutdown()
  await expect(probeHealth(settings(port))).resolves.toBe(false)
})

test('a missing setting is named', async () => {
  const { TLS_KEY_FILE: _, ...env } = settings(1)
  await expect(probeHealth(env)).rejects.toThrow('TLS_KEY_FILE is missing')
})
