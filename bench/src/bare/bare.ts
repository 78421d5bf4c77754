import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'

/** A few programs that do the product's work without its guarantees. */
export type Bare = { url: string; pids: Record<string, number>; stop(): Promise<void> }

/** The paths of certificates, named like the services' settings. */
export type TlsFiles = { TLS_CA_FILE: string; TLS_CERT_FILE: string; TLS_KEY_FILE: string }

type BareOptions = { adminUrl: URL; tlsOf(name: string): TlsFiles }
type Program = { child: ChildProcess; port: number }

const TABLES = `
  CREATE TABLE charges (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    seller_id  bigint      NOT NULL,
    amount     bigint      NOT NULL,
    status     text        NOT NULL DEFAULT 'PENDING',
    customer   jsonb       NOT NULL,
    payment_id text,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE cards (token text PRIMARY KEY, bin text NOT NULL, last_four text NOT NULL)`

/**
 * Starts the cheapest form of this architecture: Express, one gRPC call with mutual TLS, and two one-statement
 * transactions on the same PostgreSQL, in a database of its own.
 */
export async function startCeiling({ adminUrl, tlsOf }: BareOptions): Promise<Bare> {
  const DATABASE_URL = await makeDatabase(adminUrl, 'ceiling')
  const backend = await startProgram('backend', { ...tlsOf('orders'), DATABASE_URL })
  const gateway = await startProgram('gateway', { ...tlsOf('gateway'), ORDERS_ADDRESS: addressOf(backend) })
  return bareOf('ceiling', { gateway, backend })
}

/**
 * Starts the ceiling with every hop that a card needs, each with one statement. The vault is called before the order,
 * and again for the sale at the acquirer. `partner` holds the settings for that call.
 */
export async function startBarePath(options: BareOptions & { partner: PartnerSettings }): Promise<Bare> {
  const { adminUrl, tlsOf, partner } = options
  const DATABASE_URL = await makeDatabase(adminUrl, 'bare_path')
  const vault = await startProgram('vault', { ...tlsOf('vault'), ...partner, DATABASE_URL })
  const hop = { VAULT_ADDRESS: addressOf(vault) }
  const backend = await startProgram('backend', { ...tlsOf('orders'), ...hop, DATABASE_URL })
  const gateway = await startProgram('gateway', {
    ...tlsOf('gateway'),
    ...hop,
    ORDERS_ADDRESS: addressOf(backend),
  })
  return bareOf('bare path', { gateway, backend, vault })
}

export type PartnerSettings = { ACQUIRER_URL: string; MERCHANT_ID: string; MERCHANT_KEY: string }

function addressOf({ port }: Program): string {
  return `localhost:${port}`
}

function bareOf(name: string, programs: { gateway: Program } & Record<string, Program>): Bare {
  const children = Object.entries(programs).map(([part, { child }]) => [`${name} ${part}`, child] as const)
  return {
    url: `http://127.0.0.1:${programs.gateway.port}`,
    pids: Object.fromEntries(children.map(([part, child]) => [part, child.pid ?? 0])),
    stop: async () => {
      await Promise.all(children.map(([, child]) => end(child)))
    },
  }
}

async function makeDatabase(adminUrl: URL, name: string): Promise<string> {
  const url = new URL(adminUrl)
  const admin = new Client({ connectionString: url.href })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
  await admin.end()
  url.pathname = name
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await client.query(TABLES)
  await client.end()
  return url.href
}

async function startProgram(name: string, settings: Record<string, string>): Promise<Program> {
  const child = spawn(process.execPath, [join(__dirname, '../../dist/bare', `${name}.js`)], {
    env: { ...process.env, ...settings },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  const died = once(child, 'exit').then(() => Promise.reject(new Error(`the bare ${name} did not start`)))
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
