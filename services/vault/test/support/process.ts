import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { CLIENT_OPTIONS } from '@cofre/platform/grpc/client'
import { createTestTls, type TestDatabase } from '@cofre/testing/testing'
import { clientCredentials } from '@cofre/platform/grpc/tls'
import { VaultAdminClient, VaultClient } from '@cofre/proto/vault/v1/vault'
import { FIRST_KEK } from './vault'

const PROGRAM = join(__dirname, '../../dist/main.js')

/** Starts the built vault as deployed: settings in, log lines out. */
export async function vaultProgram(database: TestDatabase) {
  const { tlsFor } = await createTestTls()
  const dir = mkdtempSync(join(tmpdir(), 'vault-process-'))
  const file = (name: string, text: string) => {
    writeFileSync(join(dir, name), text)
    return join(dir, name)
  }
  const tls = await tlsFor('vault')
  const settings = {
    GRPC_HOST: '127.0.0.1',
    GRPC_PORT: '0',
    TLS_CA_FILE: file('ca.pem', tls.ca),
    TLS_CERT_FILE: file('cert.pem', tls.cert),
    TLS_KEY_FILE: file('key.pem', tls.key),
    DATABASE_URL: database.url,
    KEY_ENCRYPTION_KEYS_FILE: file('keys', FIRST_KEK),
    PARTNERS_FILE: file('partners.json', '{}'),
  }
  const running = new Set<() => Promise<unknown>>()
  const start = (args: string[] = [], change: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      env: { ...settings, ...change },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const exited = once(child, 'exit').then(([code]) => code as number | null)
    running.add(() => (child.kill('SIGKILL'), exited))
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    const serving = new Promise<number>((resolve, reject) => {
      createInterface(child.stdout).on('line', (line) => {
        const { msg, port } = JSON.parse(line) as { msg: string; port: number }
        if (msg === 'vault is serving') resolve(port)
      })
      exited.then(() => reject(new Error(stderr)), reject)
    })
    serving.catch(() => {})
    return { serving, exited, stderr: () => stderr, kill: (signal: NodeJS.Signals) => child.kill(signal) }
  }
  const clientsOf = async (port: number) => {
    const address = `localhost:${port}`
    const gateway = new VaultClient(address, clientCredentials(await tlsFor('gateway')), CLIENT_OPTIONS)
    const admin = new VaultAdminClient(address, clientCredentials(await tlsFor('cofrectl')), CLIENT_OPTIONS)
    return { gateway, admin, close: () => (gateway.close(), admin.close()) }
  }
  const remove = async () => {
    await Promise.all([...running].map((end) => end()))
    rmSync(dir, { recursive: true })
  }
  return { start, clientsOf, remove }
}
