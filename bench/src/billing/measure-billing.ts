import type { Client } from 'pg'
import { createAsk } from '../invoices/invoice-asks'
import { inDatabase } from '../invoices/invoice-plans'
import { measureRound } from '../measured-round'
import { startMeasuredSystem, type MeasuredSystem } from '../measured-system'
import { cpuTimes, residentMib } from '../processes'
import { rest } from '../rest'
import { storeRecurring } from './stored-recurring'

const CLIENTS = 2
const LOOK_EVERY_SECONDS = 1
const MINUTES_MAX = 60
/** The least number of invoices that a day's billing must make per second. */
const PER_SECOND_MIN = 150
/** During the billing, the API's p99 may be at most this multiple of its usual value. */
const RATIO_MAX = 2
const DAY_MS = 86_400_000

export type BillingOptions = { rows: number; sellers: number; seconds: number }

export type BillingResult = {
  billed: number
  seconds: number
  perSecond: number
  /** The number of e-mails sent by the end of the billing. */
  mailed: number
  memoryMib: number
  /** CPU time of each process per invoice, with all the work that it causes until the end of the billing. */
  cpuMs: Record<string, number>
  p99: { usual: number; meanwhile: number }
  kept: boolean
}

/** Measures a day on which `rows` recurring invoices of many sellers are due, with e-mail on, while the API is used. */
export async function measureBilling(
  options: BillingOptions,
  progress: (text: string) => void,
): Promise<BillingResult> {
  const system = await startMeasuredSystem({ charges: 1, settings: {}, progress: () => {} })
  try {
    return await inDatabase(system, 'invoices', (invoices) => measureDay(system, invoices, options, progress))
  } finally {
    await system.stop()
  }
}

async function measureDay(
  system: MeasuredSystem,
  invoices: Client,
  options: BillingOptions,
  progress: (text: string) => void,
): Promise<BillingResult> {
  const { sellerId } = system.target
  progress(`storing ${options.rows} recurring invoices of ${options.sellers} sellers`)
  const tomorrow = new Date(Date.now() + 2 * DAY_MS).toISOString().slice(0, 10)
  await storeRecurring(invoices, { ...options, sellerId }, tomorrow)
  progress('asking the API as usual')
  const usual = await p99Of(system, options.seconds)
  // They all become due at once.
  await invoices.query(
    'UPDATE recurring_invoices SET anchor_day = current_date - 1, next_cycle_day = current_date - 1',
  )
  await invoices.query('VACUUM ANALYZE recurring_invoices')
  const before = await countBilled(invoices)
  const startedAt = performance.now()
  const isOver = { now: false }
  const cpuBefore = cpuTimes(system.local.ready.pids)
  const asked = askMeanwhile(system, options.seconds, isOver)
  const memoryMib = await untilBilled(system, invoices, options.rows, progress)
  const seconds = (performance.now() - startedAt) / 1_000
  isOver.now = true
  const meanwhile = await asked
  const cpuAfter = cpuTimes(system.local.ready.pids)
  const billed = (await countBilled(invoices)) - before
  const cpuMs = Object.fromEntries(
    Object.entries(cpuAfter).map(([name, ms]) => [name, (ms - (cpuBefore[name] ?? 0)) / billed]),
  )
  const { rows } = await invoices.query<{ mailed: string }>(
    `SELECT count(*) AS mailed FROM emails WHERE status = 'SENT'`,
  )
  const perSecond = billed / seconds
  const kept = billed === options.rows && perSecond >= PER_SECOND_MIN && meanwhile <= RATIO_MAX * usual
  return {
    billed,
    seconds,
    perSecond,
    memoryMib,
    cpuMs,
    kept,
    mailed: Number(rows[0]?.mailed),
    p99: { usual, meanwhile },
  }
}

/** Waits until everything is billed. Returns the service's peak memory until then, in MiB. */
async function untilBilled(
  system: MeasuredSystem,
  invoices: Client,
  rows: number,
  progress: (text: string) => void,
): Promise<number> {
  const pid = system.local.ready.pids['invoices'] ?? 0
  let most = 0
  for (let left = (MINUTES_MAX * 60) / LOOK_EVERY_SECONDS; left > 0; left -= 1) {
    most = Math.max(most, residentMib(pid))
    const { rows: found } = await invoices.query<{ waiting: string }>(
      'SELECT count(*) AS waiting FROM recurring_invoices WHERE next_cycle_day < current_date',
    )
    const waiting = Number(found[0]?.waiting)
    if (waiting === 0) return most
    if (left % 10 === 0) progress(`${rows - waiting} of ${rows} billed`)
    await rest(LOOK_EVERY_SECONDS)
  }
  throw new Error('the day was not billed in time')
}

async function countBilled(invoices: Client): Promise<number> {
  const { rows } = await invoices.query<{ billed: string }>(
    `SELECT count(*) AS billed FROM (
       SELECT DISTINCT recurring_invoice_id, cycle FROM invoices WHERE recurring_invoice_id IS NOT NULL) AS cycles`,
  )
  return Number(rows[0]?.billed)
}

/** Returns the median p99 of the rounds that ran during the billing. */
async function askMeanwhile(
  system: MeasuredSystem,
  seconds: number,
  isOver: { now: boolean },
): Promise<number> {
  const rounds: number[] = []
  while (!isOver.now) rounds.push(await p99Of(system, seconds))
  return rounds.toSorted((one, other) => one - other)[Math.floor(rounds.length / 2)] ?? 0
}

/** Returns the p99 of creating an invoice, in ms; infinite when one failed. Billing uses the seller's numbers too. */
async function p99Of({ target, local }: MeasuredSystem, seconds: number): Promise<number> {
  const ask = createAsk(target)
  const round = await measureRound({
    load: { url: target.url, clients: CLIENTS, seconds, expect: 201, next: () => ask },
    processes: local.ready.pids,
    reported: [],
  })
  return round.failures > 0 ? Infinity : round.figures.p99
}

/** Returns the report, one line for each figure. */
export function billingReport(result: BillingResult): string {
  const { billed, seconds, perSecond, mailed, memoryMib, cpuMs, p99 } = result
  const cpu = Object.entries(cpuMs).map(([name, ms]) => `${name} ${ms.toFixed(2)}`)
  return [
    `billed ${billed} cycles in ${seconds.toFixed(0)} s: ${perSecond.toFixed(0)} a second (at least ${PER_SECOND_MIN})`,
    `e-mails sent meanwhile: ${mailed}`,
    `memory of invoices: ${memoryMib.toFixed(0)} MiB at most`,
    `CPU milliseconds for one invoice: ${cpu.join(', ')}`,
    `p99 of the API: ${p99.usual.toFixed(1)} ms usual, ${p99.meanwhile.toFixed(1)} ms meanwhile (at most ${RATIO_MAX} times)`,
  ].join('\n')
}
