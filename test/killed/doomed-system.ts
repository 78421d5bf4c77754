import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { INVOICE_EVENTS } from '@cofre/api/events'
import { createPool, type Pool } from '@cofre/platform/postgres/postgres'
import type { Ready } from '@cofre/local/ready-file'
import { startLocal } from '@cofre/local/start-local'
import { databaseOf, type ServiceName } from '@cofre/platform/service/services'
import { PATIENT } from '@cofre/testing/testing'
import { patientClient } from './client'
import { DATABASE_LINKS } from './commits'
import { startReceiver, type Post } from './invoices/receiver'
import {
  acquirerCall,
  bankCall,
  disputeCall,
  pixCall,
  startPartnerProxy,
  tokenServiceCall,
  voucherCall,
} from './partner-proxy'
import type { Program } from './points'
import { startPostgresProxy, type Proxy } from './postgres-proxy'
import type { Random } from '@cofre/testing/random'
import { createTrap, type Trap } from './trap'

/** The whole product as `npm start` starts it, with proxies on its connections and a trap that they spring. */
export type DoomedSystem = {
  ready: Ready
  runDir: string
  trap: Trap
  /** Notifications sent to `{inbox}/{name}` reach the sandbox's inbox of that name. */
  inbox: string
  /** The notifications that the seller's endpoint for invoices got since the start. */
  told: readonly Post[]
  /** The processes that run now. */
  pids(): Pids
  /** Waits until these programs are other processes than before and, when `answering`, the whole system answers. */
  untilBack(programs: readonly Program[], before: Pids, options: { answering: boolean }): Promise<void>
  /** Reads a database as its superuser, past the proxies. */
  read<Row extends object>(database: string, sql: string, values?: unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

export type Pids = Record<string, number>

export const ROOT = join(__dirname, __dirname.endsWith('dist') ? '../../..' : '../..')
const BACK_WITHIN_MS = 180_000
const PROBE_TIMEOUT_MS = 2_000
const POLL_MS = 50

/** Settings with which outcomes are resolved within seconds: a short run cannot wait for a partner's longest delay. */
export const HASTY = {
  ACQUIRER_TIMEOUT_MS: '2000',
  ISSUER_TIMEOUT_MS: '2000',
  BANK_TIMEOUT_MS: '2000',
  ABSENCE_GRACE_MS: '300',
  RESOLVE_FIRST_MS: '300',
  RESOLVE_MAX_MS: '1000',
}

/** The partners that one program of the sandbox plays: the voucher issuers and the identity provider. */
const VOUCHER_PARTNERS = ['alelo', 'vr', 'ticket', 'ticket-merchant', 'ticket-identity']

/** For every program. A payment renews an access token with less than 30 s left: five seconds after its issue. */
const SETTINGS = {
  RATE_LIMIT_PER_SECOND: '1000',
  RATE_LIMIT_BURST: '2000',
  SANDBOX_ACCESS_TOKEN_SECONDS: '35',
}

/** More settings of some services. Voucher cards have few BINs, and each may be declined often. */
const TOLD: Partial<Record<ServiceName, Record<string, string>>> = {
  vouchers: { DECLINES_PER_MINUTE: '10000' },
  // A lost webhook costs no six hours.
  orders: { DISPUTES_EVERY_MS: '1000' },
}

/**
 * Starts the product. `settings` override those of `npm start` for all services but network-token. `signal` aborts the
 * start. `runDir`: the folder of a system that was made before; by default a new folder.
 */
export async function startDoomedSystem(
  random: Random,
  settings: Record<string, string> = {},
  { signal, runDir = newRunDir() }: { signal?: AbortSignal; runDir?: string } = {},
): Promise<DoomedSystem> {
  const pids = () => (JSON.parse(readFileSync(join(runDir, 'ready.json'), 'utf8')) as Ready).pids
  const trap = createTrap((programs) => {
    const running = pids()
    for (const program of programs) killNow(running[program])
  })
  const proxies = await startProxies(trap, random)
  const local = await startLocal({
    unsynced: true,
    root: ROOT,
    runDir,
    port: 0,
    sandboxPort: 0,
    quiet: true,
    ...(signal ? { signal } : {}),
    settings: SETTINGS,
    adapt: (name, given) => ({
      ...leadThrough(proxies, runDir, name, given),
      ...(name === 'network-token' ? {} : settings),
      ...TOLD[name],
    }),
  })
  const { ready } = local
  proxies.inbox.lead(new URL(ready.sandboxUrl))
  const receiver = await startReceiver()
  proxies.endpoint.lead(receiver.url)
  await registerEndpoint(ready, proxies.endpoint.port)
  const { passwords, ports } = JSON.parse(readFileSync(join(runDir, 'state.json'), 'utf8')) as State
  const server = `postgres://postgres:${passwords['postgres']}@127.0.0.1:${ports['postgres']}`
  const answers = async () => (await statusOf(`${ready.baseUrl}/readyz`)) === 200
  return {
    ready,
    runDir,
    trap,
    told: receiver.posts,
    pids,
    inbox: `http://127.0.0.1:${proxies.inbox.port}/inbox`,
    untilBack: async (programs, before, { answering }) => {
      const until = Date.now() + BACK_WITHIN_MS
      const isBack = () => programs.every((program) => pids()[program] !== before[program])
      while (!isBack() || (answering && !(await answers()))) {
        if (Date.now() > until) throw new Error(`not back within ${BACK_WITHIN_MS / 1_000} s`)
        await pause(POLL_MS)
      }
    },
    read: (database, sql, values) => readOnce(`${server}/${database}`, sql, values),
    stop: async () => {
      await local.stop()
      const { databases, ...partners } = proxies
      await Promise.all([...Object.values(partners), ...databases.values()].map((proxy) => proxy.close()))
      await receiver.close()
    },
  }
}

/** Registers the seller's endpoint for the events of invoices, and for no others. */
async function registerEndpoint(ready: Ready, port: number): Promise<void> {
  const body = { url: `http://127.0.0.1:${port}/invoices`, events: INVOICE_EVENTS }
  const { status } = await patientClient(ready)({
    method: 'POST',
    path: '/api/v2/webhooks/endpoints',
    body,
    key: 'endpoint-of-invoices',
  })
  if (status !== 201) throw new Error(`the endpoint was answered ${status}`)
}

/** Kills a process. A process that is dead already, or just being restarted, needs no kill. */
function killNow(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

type State = { passwords: Record<string, string>; ports: Record<string, number> }

type Proxies = Awaited<ReturnType<typeof startProxies>>

async function startProxies(trap: Trap, random: Random) {
  const databases = new Map<string, Proxy>()
  for (const link of DATABASE_LINKS) {
    databases.set(`${link.service} ${link.database}`, await startPostgresProxy(link, trap))
  }
  const toAcquirer = {
    caller: (): Program => 'vault',
    nameOf: acquirerCall,
    secure: true,
  }
  const toTokenService = { caller: (): Program => 'vault', nameOf: tokenServiceCall, secure: true }
  const toDisputes = { caller: (): Program => 'vault', nameOf: disputeCall, secure: true }
  const toBank = { caller: (): Program => 'vault', nameOf: bankCall, secure: true }
  const toPix = { caller: (): Program => 'vault', nameOf: pixCall, secure: true }
  const toIssuers = { caller: (): Program => 'vault', nameOf: voucherCall, secure: true }
  const toReceiver = {
    caller: (): Program => 'notifier',
    nameOf: () => 'notification' as const,
    secure: false,
  }
  const toEndpoint = { ...toReceiver, nameOf: () => 'invoice notification' as const }
  return {
    databases,
    acquirer: await startPartnerProxy(toAcquirer, trap, random.fork('acquirer')),
    query: await startPartnerProxy(toAcquirer, trap, random.fork('query')),
    disputes: await startPartnerProxy(toDisputes, trap, random.fork('disputes')),
    tokens: await startPartnerProxy(toTokenService, trap, random.fork('tokens')),
    issuers: await startPartnerProxy(toIssuers, trap, random.fork('issuers')),
    bank: await startPartnerProxy(toBank, trap, random.fork('bank')),
    pix: await startPartnerProxy(toPix, trap, random.fork('pix')),
    inbox: await startPartnerProxy(toReceiver, trap, random.fork('inbox')),
    endpoint: await startPartnerProxy(toEndpoint, trap, random.fork('endpoint')),
  }
}

/** The settings of a service with its connections led through the proxies. */
function leadThrough(
  { databases, acquirer, query, disputes, tokens, issuers, bank, pix }: Proxies,
  runDir: string,
  name: ServiceName,
  settings: Record<string, string>,
): Record<string, string> {
  const through = (url: string, proxy: Proxy | undefined) => {
    if (!proxy) throw new Error(`${name} has a connection that nobody watches`)
    const to = new URL(url)
    proxy.lead(to)
    return url.replace(`:${to.port}`, `:${proxy.port}`)
  }
  const led = { ...settings }
  led['DATABASE_URL'] = through(settings['DATABASE_URL'] ?? '', databases.get(`${name} ${databaseOf(name)}`))
  if (settings['EVENT_LOG_URL']) {
    led['EVENT_LOG_URL'] = through(settings['EVENT_LOG_URL'], databases.get(`${name} event_log`))
  }
  if (settings['PARTNERS_FILE']) {
    const partners = JSON.parse(readFileSync(settings['PARTNERS_FILE'], 'utf8'))
    partners.acquirer.url = through(partners.acquirer.url, acquirer)
    partners['acquirer-queries'].url = through(partners['acquirer-queries'].url, query)
    partners['acquirer-disputes'].url = through(partners['acquirer-disputes'].url, disputes)
    partners['token-service'].url = through(partners['token-service'].url, tokens)
    partners.bank.url = through(partners.bank.url, bank)
    partners.pix.url = through(partners.pix.url, pix)
    for (const partner of VOUCHER_PARTNERS) partners[partner].url = through(partners[partner].url, issuers)
    led['PARTNERS_FILE'] = join(runDir, 'partners-through-proxy.json')
    writeFileSync(led['PARTNERS_FILE'], JSON.stringify(partners))
  }
  const file = (part: string) => readFileSync(join(runDir, 'certs', part), 'utf8')
  const client = { cert: file('vault.crt'), key: file('vault.key') }
  const own = { cert: file('sandbox.crt'), key: file('sandbox.key'), ca: file('authority.crt') }
  for (const proxy of [acquirer, query, disputes, tokens, issuers, bank, pix])
    proxy.certify({ ...own, client })
  return led
}

async function readOnce<Row extends object>(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const pool: Pool = createPool({ url, max: 1, name: 'killed', ...PATIENT }, () => {})
  try {
    return (await pool.query<Row>(sql, values)).rows
  } finally {
    await pool.end()
  }
}

async function statusOf(url: string): Promise<number> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    await response.body?.cancel()
    return response.status
  } catch {
    return 0
  }
}

function newRunDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'cofre-killed-'))
  chmodSync(dir, 0o755)
  return dir
}

export function forgetSystem({ runDir }: Pick<DoomedSystem, 'runDir'>): void {
  rmSync(runDir, { recursive: true, force: true })
}
