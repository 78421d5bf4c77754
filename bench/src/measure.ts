import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startBarePath, startCeiling, type PartnerSettings } from './bare/bare'
import { measureDeliveries } from './deliveries'
import { median, percentile } from './figures'
import { HOT_PATHS } from './hot-paths'
import { drive } from './load'
import { startMeasuredSystem, type MeasuredSystem } from './measured-system'
import { authorizeAsk } from './paths'
import { memory } from './processes'
import { rest } from './rest'
import type { Delivery, PathResult, Plan, Result } from './result'
import type { MeasuredRound } from './measured-round'
import {
  authorizeRound,
  bareRound,
  partnerRound,
  pathResult,
  systemRound,
  voucherRound,
  type Bench,
} from './rounds'
import { settled } from './settled'
import { between, readStatements } from './statements'

const CLIENTS = [1, 16] as const
const WARM_UP_SECONDS_MAX = 90
const OTHERS_MAX = 0.1
const BESIDE_SECONDS_MAX = 600

/** Measures everything on the Node that runs this process. */
export async function measure(plan: Plan, progress: (text: string) => void): Promise<Result> {
  if (plan.profileDir !== undefined) mkdirSync(plan.profileDir, { recursive: true })
  const settings = plan.profileDir === undefined ? {} : profiling(plan.profileDir)
  const system = await startMeasuredSystem({ charges: plan.charges, settings, progress })
  try {
    progress(`everything answers after ${system.startSeconds.toFixed(1)} s`)
    const ceiling = await startCeiling(system)
    const barePath = await startBarePath({ ...system, partner: partnerSettings(system) })
    try {
      await rest(plan.idleSeconds)
      const idleMemory = memory(system.local.ready.pids)
      const idle = await idleStatements(system, plan.idleSeconds)
      const bench = { system, ceiling, barePath, plan, progress, idle, firstFailure: null }
      return { ...(await measureAll(bench)), idleMemory }
    } finally {
      await Promise.all([ceiling.stop(), barePath.stop()])
    }
  } finally {
    await system.stop()
  }
}

function partnerSettings({ acquirerUrl, merchant }: MeasuredSystem): PartnerSettings {
  return { ACQUIRER_URL: acquirerUrl, MERCHANT_ID: merchant.merchantId, MERCHANT_KEY: merchant.merchantKey }
}

function profiling(dir: string): Record<string, string> {
  return { NODE_OPTIONS: `--require ${join(__dirname, 'profiler.js')}`, PROFILE_DIR: dir }
}

async function idleStatements({ admin }: MeasuredSystem, seconds: number): Promise<Bench['idle']> {
  const before = await readStatements(admin)
  await rest(seconds)
  return { statements: between(before, await readStatements(admin)), seconds }
}

async function measureAll(bench: Bench): Promise<Omit<Result, 'idleMemory'>> {
  const { system, plan, progress } = bench
  progress('warming up')
  await authorizeRound(bench, 16, WARM_UP_SECONDS_MAX, plan.warmUpRequests)
  await voucherRound(bench, 16, WARM_UP_SECONDS_MAX, plan.warmUpRequests)
  await bareRound(bench, 'ceiling', 16, WARM_UP_SECONDS_MAX, plan.warmUpRequests)
  await bareRound(bench, 'barePath', 16, WARM_UP_SECONDS_MAX, plan.warmUpRequests)
  const inTurns = await measureInTurns(bench)
  const paths = await measurePaths(bench)
  progress(`event to first delivery, ${plan.deliveries} times alone, and as often beside 16 clients`)
  const delivery = delaysOf(await measureDeliveries(system.target, plan.deliveries))
  const busyDelivery = delaysOf(
    await whileAuthorizing(bench, () => measureDeliveries(system.target, plan.deliveries)),
  )
  return {
    node: process.version,
    ...inTurns,
    paths,
    delivery,
    busyDelivery,
    startSeconds: system.startSeconds,
    firstFailure: bench.firstFailure,
  }
}

function delaysOf(delays: number[]): Delivery {
  return { count: delays.length, p50: percentile(delays, 0.5), p99: percentile(delays, 0.99) }
}

/** Sixteen clients authorize until `work` is done. */
async function whileAuthorizing<T>({ system: { target } }: Bench, work: () => Promise<T>): Promise<T> {
  let isDone = false
  const next = () => (isDone ? undefined : authorizeAsk(target))
  const load = drive({ url: target.url, clients: 16, seconds: BESIDE_SECONDS_MAX, expect: 201, next })
  const found = await work().finally(() => (isDone = true))
  const { firstFailure } = await load
  if (firstFailure !== undefined) throw new Error(`a charge beside the deliveries failed: ${firstFailure}`)
  return found
}

type InTurns = Pick<Result, 'authorize' | 'voucherPayment' | 'ceiling' | 'barePath' | 'partner' | 'others'>
type Turn = {
  system: MeasuredRound
  voucher: MeasuredRound
  ceiling: MeasuredRound
  barePath: MeasuredRound
  partner?: MeasuredRound
}

/** Measures the ceiling, the bare path and the system in short turns, so that a drift of the machine affects all. */
async function measureInTurns(bench: Bench): Promise<InTurns> {
  const { plan, progress } = bench
  const turns = new Map<number, Turn[]>()
  for (const clients of CLIENTS) {
    const rounds: Turn[] = []
    for (let round = 1; round <= plan.rounds; round++) {
      progress(`authorize, ${clients} at once, round ${round} of ${plan.rounds}`)
      rounds.push(await quietTurn(bench, clients, round))
    }
    turns.set(clients, rounds)
  }
  const results = (path: string, of: (turn: Turn) => MeasuredRound) =>
    [...turns].map(([clients, rounds]) => pathResult(path, clients, rounds.map(of)))
  const all = [...turns.values()].flat()
  return {
    authorize: results('authorize', (turn) => turn.system),
    voucherPayment: results('voucher payment', (turn) => turn.voucher),
    ceiling: results('ceiling', (turn) => turn.ceiling),
    barePath: results('bare path', (turn) => turn.barePath),
    partner: pathResult(
      'acquirer alone',
      1,
      all.flatMap(({ partner }) => (partner ? [partner] : [])),
    ),
    others: median(all.map(othersIn)),
  }
}

/** Repeats a turn in which other programs used much of the machine, and returns the quietest. */
async function quietTurn(bench: Bench, clients: number, round: number): Promise<Turn> {
  let best: Turn | undefined
  for (let attempt = 1; attempt <= bench.plan.attempts; attempt++) {
    const turn: Turn = {
      ceiling: await bareRound(bench, 'ceiling', clients, bench.plan.seconds),
      barePath: await bareRound(bench, 'barePath', clients, bench.plan.seconds),
      system: await authorizeRound(bench, clients, bench.plan.seconds),
      voucher: await voucherRound(bench, clients, bench.plan.seconds),
      ...(clients === 1 ? { partner: await partnerRound(bench, round * 10 + attempt) } : {}),
    }
    if (!best || othersIn(turn) < othersIn(best)) best = turn
    if (othersIn(best) < OTHERS_MAX) break
    bench.progress(`other programs took ${(othersIn(turn) * 100).toFixed(0)} % of the machine`)
  }
  return best as Turn
}

function othersIn({ system, voucher, ceiling, barePath }: Turn): number {
  return Math.max(system.others, voucher.others, ceiling.others, barePath.others)
}

/** The paths that are measured by turns beside the ceiling. */
const IN_TURNS = ['authorize', 'voucher-payment']

async function measurePaths(bench: Bench): Promise<PathResult[]> {
  const { system, plan, progress } = bench
  const results: PathResult[] = []
  const beside = HOT_PATHS.filter((path) => !IN_TURNS.includes(path.name))
  for (const { name, expect, prepare } of beside) {
    for (const clients of CLIENTS) {
      progress(`${name}, ${clients} at once`)
      const { url, asks, finish } = await prepare(system, clients === 1 ? plan.calls : plan.calls * 4)
      await settled(system.adminUrl)
      const load = { url, clients, seconds: plan.seconds, next: () => asks.pop(), expect }
      results.push(pathResult(name, clients, [await systemRound(bench, load, finish)]))
    }
  }
  return results
}
