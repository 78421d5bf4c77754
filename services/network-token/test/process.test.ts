import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { callRpc, CLIENT_OPTIONS } from '@cofre/platform/grpc/client'
import { createTestDatabase, createTestTls, type TestDatabase } from '@cofre/testing/testing'
import { clientCredentials } from '@cofre/platform/grpc/tls'
import { NetworkTokensClient } from '@cofre/proto/networktoken/v1/networktoken'

const PROGRAM = join(__dirname, '../dist/main.js')
let database: TestDatabase
let dir: string
let env: Record<string, string>
let tlsFor: Awaited<ReturnType<typeof createTestTls>>['tlsFor']
const running = new Set<ChildProcess>()

beforeAll(async () => {
  database = await createTestDatabase()
  dir = mkdtempSync(join(tmpdir(), 'cofre-network-token-'))
  tlsFor = (await createTestTls()).tlsFor
  const tls = await tlsFor('network-token')
  const file = (name: string, text: string) => {
    writeFileSync(join(dir, name), text)
    return join(dir, name)
  }
  env = {
    PATH: process.env.PATH ?? '',
    GRPC_HOST: '127.0.0.1',
    GRPC_PORT: '0',
    TLS_CA_FILE: file('ca.pem', tls.ca),
    TLS_CERT_FILE: file('cert.pem', tls.cert),
    TLS_KEY_FILE: file('key.pem', tls.key),
    DATABASE_URL: database.url,
    EVENT_LOG_URL: database.url,
    VAULT_ADDRESS: 'localhost:1',
    ORDERS_ADDRESS: 'localhost:1',
    TOKEN_SERVICE_SECRET_FILE: file('secret', `whsec_${Buffer.alloc(32).toString('base64')}\n`),
  }
})
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(dir, { recursive: true })
  await database.drop()
})

function start(change: Record<string, string> = {}, args: string[] = []) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...env, ...change },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const serving = new Promise<number>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const { msg, port } = JSON.parse(line) as { msg: string; port: number }
      if (msg === 'network-token is serving') resolve(port)
    })
    exited.then(() => reject(new Error(stderr)), reject)
  })
  serving.catch(() => {})
  return { child, exited, serving, stderr: () => stderr }
}

test('migrates, serves, and stops when asked', async () => {
  expect(await start({}, ['migrate']).exited).toBe(0)
  const service = start()
  const port = await service.serving
  const credentials = clientCredentials(await tlsFor('gateway'))
  const client = new NetworkTokensClient(`localhost:${port}`, credentials, CLIENT_OPTIONS)
  const missing = callRpc(client, client.getToken, { sellerId: 1, token: 'a'.repeat(64) })
  await expect(missing).rejects.toMatchObject({ kind: 'not_found' })
  client.close()
  service.child.kill('SIGTERM')
  expect(await service.exited).toBe(0)
})

test('does not start with settings that are missing or bad, and names them', async () => {
  const service = start({ TOKEN_SERVICE_SECRET_FILE: env.TLS_KEY_FILE ?? '', VAULT_ADDRESS: 'vault' })
  expect(await service.exited).toBe(1)
  expect(service.stderr()).toMatch(/TOKEN_SERVICE_SECRET_FILE is bad/)
  expect(service.stderr()).toMatch(/VAULT_ADDRESS is bad/)
  expect(service.stderr()).not.toContain('PRIVATE')
})
