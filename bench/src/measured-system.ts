import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { certificateFiles } from '@cofre/local/certificates'
import { databaseUrl } from '@cofre/local/database'
import { runFolder } from '@cofre/local/run-folder'
import { readState } from '@cofre/local/saved-state'
import type * as StartLocal from '@cofre/local/start-local'
import type { LocalSystem } from '@cofre/local/start-local'
import type { Adapt } from '@cofre/local/system-programs'
import { Client } from 'pg'
import type { TlsFiles } from './bare/bare'
import { drive } from './load'
import { chargeAsk, voucherTokenAsk, type Target } from './paths'
import { countStatements } from './statements'
import { copyCharge } from './stored-charges'

export type MeasuredSystem = {
  local: LocalSystem
  target: Target
  admin: Client
  adminUrl: URL
  merchant: { merchantId: string; merchantKey: string }
  acquirerUrl: string
  /** PEM of the authority that signed every certificate of the system. */
  ca: string
  tlsOf(name: string): TlsFiles
  /** The folder of the logs, `{program}.log` each. */
  logs: string
  /** The time from a start with existing data until every program answers. */
  startSeconds: number
  stop(): Promise<void>
}

type Options = {
  /** The built checkout whose programs run; by default this one. */
  root?: string
  charges: number
  /** Settings for every program of the system. */
  settings: Record<string, string>
  /** Changes the settings of one service. */
  adapt?: Adapt
  progress: (text: string) => void
}

const ROOT = join(__dirname, '../..')
// All clients share one token; the rate limit protects a service and is not measured here. Payers name their addresses themselves.
const NO_LIMIT = { RATE_LIMIT_PER_SECOND: '1000000', RATE_LIMIT_BURST: '1000000', TRUSTED_PROXIES: '1' }

/** Starts the whole product like `npm start`, in its own folder and with stored charges. */
export async function startMeasuredSystem(options: Options): Promise<MeasuredSystem> {
  const { root = ROOT, charges, settings, adapt, progress } = options
  // The checkout itself knows how its programs start.
  const { startLocal } = (await import(join(root, 'local/dist/start-local.js'))) as typeof StartLocal
  const runDir = mkdtempSync(join(tmpdir(), 'cofre-bench-'))
  chmodSync(runDir, 0o755) // As root, PostgreSQL runs as another user, who must be able to enter.
  const forget = () => rmSync(runDir, { recursive: true, force: true })
  let local: LocalSystem | undefined
  const stopping = new AbortController()
  const start = () =>
    startLocal({
      root,
      runDir,
      port: 0,
      sandboxPort: 0,
      quiet: true,
      signal: stopping.signal,
      settings: { LOG_LEVEL: 'info', ...NO_LIMIT, ...settings },
      ...(adapt ? { adapt } : {}),
    })
  // The system's programs have their own session, so only this process ends them.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      stopping.abort(new Error('Stopped.'))
      void local?.kill().then(() => (forget(), process.exit(1)))
    })
  }
  try {
    local = await start()
    const voucherToken = await keepVoucher(local)
    await fill(runDir, targetOf(local, voucherToken), charges, progress)
    await local.stop()
    local = undefined
    const startedAt = performance.now()
    local = await start()
    const startSeconds = (performance.now() - startedAt) / 1_000
    return await connect({ runDir, local, startSeconds, forget, voucherToken })
  } catch (error) {
    await local?.kill()
    forget()
    throw error
  }
}

type Started = {
  runDir: string
  local: LocalSystem
  startSeconds: number
  voucherToken: string
  forget: () => void
}

async function connect(started: Started): Promise<MeasuredSystem> {
  const { runDir, local, startSeconds, voucherToken, forget } = started
  const run = runFolder(runDir)
  const { ports, demo } = readState(run)
  if (!demo) throw new Error('the system has no demo seller')
  const adminUrl = adminUrlOf(runDir)
  const admin = await connected(adminUrl)
  const tlsOf = (name: string) => {
    const { caFile, certFile, keyFile } = certificateFiles(run, name)
    return { TLS_CA_FILE: caFile, TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }
  }
  const stop = async () => {
    await admin.end()
    await local.stop()
    forget()
  }
  return {
    local,
    admin,
    adminUrl,
    logs: run.logs,
    startSeconds,
    tlsOf,
    stop,
    target: targetOf(local, voucherToken),
    merchant: { merchantId: demo.merchantId, merchantKey: demo.merchantKey },
    acquirerUrl: `https://localhost:${ports['sandboxAcquirer']}`,
    ca: readFileSync(tlsOf('gateway').TLS_CA_FILE, 'utf8'),
  }
}

function targetOf({ ready, cardToken }: LocalSystem, voucherToken: string): Target {
  return { url: ready.baseUrl, token: ready.token, sellerId: ready.sellerId, cardToken, voucherToken }
}

async function keepVoucher(local: LocalSystem): Promise<string> {
  const { ready } = local
  const { method, path, headers, body } = voucherTokenAsk(targetOf(local, ''))
  const answer = await fetch(`${ready.baseUrl}${path}`, { method, headers, body })
  if (answer.status !== 201) throw new Error(`a voucher was not kept: ${answer.status}`)
  return ((await answer.json()) as { token: string }).token
}

async function fill(
  runDir: string,
  target: Target,
  charges: number,
  progress: Options['progress'],
): Promise<void> {
  let example = 0
  let asks = 0
  const { failures, firstFailure } = await drive({
    url: target.url,
    clients: 1,
    seconds: 30,
    expect: 201,
    next: () => (asks++ === 0 ? chargeAsk(target) : undefined),
    accept: (body) => (example = (JSON.parse(body) as { id: number }).id) > 0,
  })
  if (failures > 0) throw new Error(`the first charge failed: ${firstFailure}`)
  const admin = await connected(adminUrlOf(runDir))
  const orders = await connected(adminUrlOf(runDir, 'orders'))
  await copyCharge(orders, example, charges, (done) => progress(`${done} of ${charges} charges stored`))
  await countStatements(admin)
  await Promise.all([admin.end(), orders.end()])
}

function adminUrlOf(runDir: string, name = 'postgres'): URL {
  const { ports, passwords } = readState(runFolder(runDir))
  return new URL(databaseUrl({ port: ports['postgres'] ?? 0, name, password: passwords['postgres'] ?? '' }))
}

async function connected(url: URL): Promise<Client> {
  const client = new Client({ connectionString: url.href })
  // The server ends it when the system is stopped because of another fault, which is the one to be seen.
  client.on('error', () => {})
  await client.connect()
  return client
}
