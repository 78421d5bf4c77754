import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'

export type Ceiling = { url: string; pids: Record<string, number>; stop(): Promise<void> }

/** Certificates as paths, by the names that the services' settings have. */
export type TlsFiles = { TLS_CA_FILE: string; TLS_CERT_FILE: string; TLS_KEY_FILE: string }

const TABLE = `
  CREATE TABLE charges (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    seller_id  bigint      NOT NULL,
    amount     bigint      NOT NULL,
    status     text        NOT NULL DEFAULT 'PENDING',
    customer   jsonb       NOT NULL,
    payment_id text,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  )`

/**
 * The least that this architecture could cost: Express, one gRPC call with mutual TLS, two one-statement
 * transactions on the same PostgreSQL, in a database of its own.
 */
export async function startCeiling(options: {
  adminUrl: URL
  backendTls: TlsFiles
  gatewayTls: TlsFiles
}): Promise<Ceiling> {
  const databaseUrl = await makeDatabase(options.adminUrl)
  const backend = await startProgram('backend', { ...options.backendTls, DATABASE_URL: databaseUrl })
  const gateway = await startProgram('gateway', {
    ...options.gatewayTls,
    BACKEND_ADDRESS: `localhost:${backend.port}`,
  })
  return {
    url: `http://127.0.0.1:${gateway.port}`,
    pids: { 'ceiling gateway': gateway.child.pid ?? 0, 'ceiling backend': backend.child.pid ?? 0 },
    stop: async () => {
      await Promise.all([end(gateway.child), end(backend.child)])
    },
  }
}

async function makeDatabase(adminUrl: URL): Promise<string> {
  const url = new URL(adminUrl)
  const admin = new Client({ connectionString: url.href })
  await admin.connect()
  await admin.query('CREATE DATABASE ceiling')
  await admin.end()
  url.pathname = 'ceiling'
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await client.query(TABLE)
  await client.end()
  return url.href
}

async function startProgram(
  name: string,
  settings: Record<string, string>,
): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, [join(__dirname, '../../dist/ceiling', `${name}.js`)], {
    env: { ...process.env, ...settings },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  const died = once(child, 'exit').then(() =>
    Promise.reject(new Error(`the ceiling's ${name} did not start`)),
  )
  const [line] = await Promise.race([once(lines, 'line'), died])
  died.catch(() => {})
  return { child, port: (JSON.parse(String(line)) as { port: number }).port }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
