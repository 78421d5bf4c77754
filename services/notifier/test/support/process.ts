import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestDatabase } from '@cofre/testing/testing'
import type { Tls } from '@cofre/platform/grpc/tls'
import { BASE_URL } from './notifier'

const PROGRAM = join(__dirname, '../../dist/main.js')

/** Starts built notifiers, as deployed: settings in, log lines out. */
export function notifierProgram(database: TestDatabase, events: TestDatabase, tls: Tls) {
  const dir = mkdtempSync(join(tmpdir(), 'cofre-notifier-'))
  const file = (name: string, text: string) => {
    writeFileSync(join(dir, name), text)
    return join(dir, name)
  }
  const settings = {
    PATH: process.env.PATH ?? '',
    GRPC_HOST: '127.0.0.1',
    GRPC_PORT: '0',
    TLS_CA_FILE: file('ca.pem', tls.ca),
    TLS_CERT_FILE: file('cert.pem', tls.cert),
    TLS_KEY_FILE: file('key.pem', tls.key),
    DATABASE_URL: database.url,
    EVENT_LOG_URL: events.url,
    BASE_URL,
    SECRET_KEY_FILE: file('secret.key', randomBytes(32).toString('base64')),
    OUTBOUND_ALLOWED: '127.0.0.0/8',
  }
  const start = async (change: Record<string, string> = {}, args: string[] = []) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      env: { ...settings, ...change },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const exited = once(child, 'exit').then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as string,
    }))
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    const serving = new Promise<number>((resolve, reject) => {
      createInterface(child.stdout).on('line', (line) => {
        const entry = JSON.parse(line) as { msg: string; port: number }
        if (entry.msg === 'notifier is serving') resolve(entry.port)
      })
      exited.then(() => reject(new Error(stderr)), reject)
    })
    serving.catch(() => {})
    return { serving, exited, kill: (signal: NodeJS.Signals) => child.kill(signal), stderr: () => stderr }
  }
  return { start, remove: () => rmSync(dir, { recursive: true }) }
}
