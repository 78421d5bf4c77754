import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Tls } from '@cofre/platform/grpc/tls'

const PROGRAM = join(__dirname, '../../dist/main.js')

export type OrdersProgram = ReturnType<typeof ordersProgram>

/** Starts the built service, as deployed: settings in, log lines out. */
export function ordersProgram(tls: Tls, settings: Record<string, string>) {
  const dir = mkdtempSync(join(tmpdir(), 'cofre-orders-'))
  const file = (name: string, text: string) => {
    writeFileSync(join(dir, name), text)
    return join(dir, name)
  }
  const env = {
    PATH: process.env.PATH ?? '',
    GRPC_HOST: '127.0.0.1',
    GRPC_PORT: '0',
    TLS_CA_FILE: file('ca.pem', tls.ca),
    TLS_CERT_FILE: file('cert.pem', tls.cert),
    TLS_KEY_FILE: file('key.pem', tls.key),
    ACQUIRER_CA_FILE: file('acquirer.pem', tls.ca),
    ESTABLISHMENT_KEY_FILE: file('establishment.key', randomBytes(32).toString('base64')),
    ...settings,
  }
  const start = (args: string[] = [], changes: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      env: { ...env, ...changes },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const exited = once(child, 'exit').then(([code]) => code as number | null)
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    const serving = new Promise<number>((resolve, reject) => {
      createInterface(child.stdout).on('line', (line) => {
        const entry = JSON.parse(line) as { msg: string; port: number }
        if (entry.msg === 'orders is serving') resolve(entry.port)
      })
      exited.then(() => reject(new Error(stderr)), reject)
    })
    serving.catch(() => {})
    return { serving, exited, kill: (signal: NodeJS.Signals) => child.kill(signal), stderr: () => stderr }
  }
  return { start, remove: () => rmSync(dir, { recursive: true }) }
}
