import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { percentile } from '../figures'
import { inDatabase } from '../in-database'
import { drive, type Ask, type Round } from '../load'
import { startMeasuredSystem, type MeasuredSystem } from '../measured-system'
import { authorizeAsk, post } from '../paths'
import { rest } from '../rest'

const DAY_MS = 86_400_000
const CLIENTS = 4
const BASELINE_SECONDS = 10
const PAID_WITHIN_SECONDS = 300

export type PixOptions = { payments: number; perCall: number }
export type PixResult = {
  payments: number
  calls: number
  /** From the first webhook to the last invoice that is PAID; undefined: not within `PAID_WITHIN_SECONDS`. */
  seconds: number | undefined
  /** How often the bank was called meanwhile. */
  askedOfBank: number
  /** The other calls of the API without a webhook, and until all were PAID. */
  before: Round
  meanwhile: Round
}

/** Pays invoices by Pix, and has the bank report all of them at once, several in each call. */
export async function measurePix(options: PixOptions, progress: (text: string) => void): Promise<PixResult> {
  progress('starting a system')
  const system = await startMeasuredSystem({ charges: 100, settings: {}, progress: () => {} })
  try {
    return await inDatabase(system, 'invoices', async (client) => {
      const countPaid = async () => {
        const sql = "SELECT count(*)::int AS paid FROM invoices WHERE status = 'PAID'"
        return (await client.query<{ paid: number }>(sql)).rows[0]?.paid ?? 0
      }
      return measureIn(system, countPaid, options, progress)
    })
  } finally {
    await system.stop()
  }
}

async function measureIn(
  system: MeasuredSystem,
  countPaid: () => Promise<number>,
  { payments, perCall }: PixOptions,
  progress: (text: string) => void,
): Promise<PixResult> {
  progress(`${payments} invoices with a Pix each`)
  await sandbox(system, '/pix/webhooks/hold', {})
  const txids = await issueAll(system, payments)
  for (const txid of txids) await sandbox(system, '/pix/pay', { txid })
  progress('other calls alone')
  const startedAt = performance.now()
  const before = await others(system, () => performance.now() - startedAt < BASELINE_SECONDS * 1_000)
  progress('webhooks')
  const askedBefore = bankCalls(system)
  const reportedAt = performance.now()
  const secondsSince = () => (performance.now() - reportedAt) / 1_000
  const { calls } = (await sandbox(system, '/pix/webhooks/release', { perCall })) as { calls: number }
  let seconds: number | undefined
  const asking = others(system, () => seconds === undefined && secondsSince() < PAID_WITHIN_SECONDS)
  while (secondsSince() < PAID_WITHIN_SECONDS && (await countPaid()) < payments) await rest(0.05)
  if ((await countPaid()) >= payments) seconds = secondsSince()
  const meanwhile = await asking
  const askedOfBank = bankCalls(system) - askedBefore
  return { payments, calls, seconds, askedOfBank, before, meanwhile }
}

/** How many calls to the bank the vault has logged. */
function bankCalls({ logs }: MeasuredSystem): number {
  return readFileSync(join(logs, 'vault.log'), 'utf8').split('"partner":"pix"').length - 1
}

/** What a seller does all day: cards are authorized, invoices are listed. */
async function others({ target }: MeasuredSystem, goesOn: () => boolean): Promise<Round> {
  const { url, token } = target
  const list: Ask = {
    method: 'GET',
    path: '/api/v2/invoices?size=10',
    headers: { authorization: `Bearer ${token}` },
  }
  const asks = [
    { expect: 201, ask: authorizeAsk(target) },
    { expect: 200, ask: list },
  ]
  const rounds = await Promise.all(
    asks.map(({ expect, ask }) => {
      const next = () => (goesOn() ? ask : undefined)
      return drive({ url, clients: CLIENTS / asks.length, seconds: PAID_WITHIN_SECONDS, expect, next })
    }),
  )
  return {
    seconds: Math.max(...rounds.map(({ seconds }) => seconds)),
    failures: rounds.reduce((sum, { failures }) => sum + failures, 0),
    latenciesMs: rounds.flatMap(({ latenciesMs }) => latenciesMs),
  }
}

async function issueAll(system: MeasuredSystem, count: number): Promise<string[]> {
  const { sellerId } = system.target
  const made = async (path: string, body: object) => (await askApi(system, path, body)) as { id: number }
  const customer = { name: 'Ana Souza', document: '12345678909' }
  const { id: customerId } = await made('/api/v2/customers', customer)
  const product = { productType: 'ONETIME', name: 'Aula', value: 4_990 }
  const { id: productId } = await made('/api/v2/products', product)
  const items = [{ productId, quantity: 1, unitPriceInCents: 4_990 }]
  const txids: string[] = []
  const issue = async () => {
    const invoice = { customerId, dueDate: Date.now() + 10 * DAY_MS, items }
    const { id } = await made(`/api/v2/sellers/${sellerId}/invoices`, invoice)
    const { txid } = (await askApi(system, `/api/v2/invoices/${id}/pix`, {})) as { txid: string }
    txids.push(txid)
  }
  for (let left = count; left > 0; left -= CLIENTS) {
    await Promise.all(Array.from({ length: Math.min(CLIENTS, left) }, issue))
  }
  return txids
}

async function askApi({ target }: MeasuredSystem, path: string, body: object): Promise<unknown> {
  const { method, headers = {}, body: sent = '' } = post(target.token, path, body)
  const answer = await fetch(`${target.url}${path}`, { method, headers, body: sent })
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`)
  return answer.json()
}

async function sandbox({ local }: MeasuredSystem, path: string, body: object): Promise<unknown> {
  const answer = await fetch(`${local.ready.sandboxUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} of the sandbox was answered ${answer.status}`)
  return answer.status === 204 ? undefined : answer.json()
}

export function pixReport({ payments, calls, seconds, askedOfBank, before, meanwhile }: PixResult): string {
  const row = (name: string, { latenciesMs, seconds: took, failures }: Round) => {
    const ms = (share: number) => percentile(latenciesMs, share).toFixed(1)
    const perSecond = (latenciesMs.length / took).toFixed(0)
    return `| ${name} | ${latenciesMs.length} | ${perSecond} | ${ms(0.5)} | ${ms(0.99)} | ${failures} |`
  }
  return [
    `${payments} Pix in ${calls} webhooks: ${seconds === undefined ? `not all PAID in ${PAID_WITHIN_SECONDS} s` : `all PAID after ${seconds.toFixed(1)} s`}; the bank was called ${askedOfBank} times`,
    '',
    '| other calls | asked | a second | p50 ms | p99 ms | failed |',
    '|---|---|---|---|---|---|',
    row('alone', before),
    row('meanwhile', meanwhile),
  ].join('\n')
}
