import type { Bare } from './bare/bare'
import { medianOf } from './figures'
import type { Ask, Load } from './load'
import { measureRound, type MeasuredRound } from './measured-round'
import type { MeasuredSystem } from './measured-system'
import { authorizeAsk, bareAsk, saleAsk, voucherPaymentAsk, type Target } from './paths'
import type { PathResult, Plan } from './result'
import { settled } from './settled'
import { between, perRequest, readStatements, type Statements } from './statements'

export type Bench = {
  system: MeasuredSystem
  ceiling: Bare
  barePath: Bare
  plan: Plan
  progress: (text: string) => void
  /** The statements that PostgreSQL runs without requests. */
  idle: { statements: Statements; seconds: number }
  firstFailure: string | null
}

const PARTNER_SECONDS_MAX = 3

/**
 * Measures a round against the system, with its CPU time and statements. It waits for the work that the round caused,
 * so that deferred work is charged to its own round.
 */
export async function systemRound(
  bench: Bench,
  load: Omit<Load, 'url'> & { url?: string },
  finish?: () => Promise<void>,
): Promise<MeasuredRound> {
  const { system, idle } = bench
  const before = await readStatements(system.admin)
  const startedAt = performance.now()
  const { ready } = system.local
  const round = await measureRound({
    load: { url: system.target.url, ...load },
    processes: processesOf(bench),
    reported: Object.keys(ready.pids),
    settle: async () => {
      await finish?.()
      await settled(system.adminUrl)
    },
  })
  const seconds = (performance.now() - startedAt) / 1_000
  const statements = between(before, await readStatements(system.admin))
  bench.firstFailure ??= round.firstFailure ?? null
  return { ...round, statements: perRequest({ statements, requests: round.requests, seconds }, idle) }
}

type PayingRound = (
  bench: Bench,
  clients: number,
  seconds: number,
  requestsMax?: number,
) => Promise<MeasuredRound>

/** Returns a round that counts only approved payments: fast failures must not look like speed. */
function payingRound(ask: (target: Target) => Ask, approved: string): PayingRound {
  return (bench, clients, seconds, requestsMax = Infinity) =>
    systemRound(bench, {
      clients,
      seconds,
      expect: 201,
      next: atMost(requestsMax, () => ask(bench.system.target)),
      accept: (body) => (JSON.parse(body) as { status: string }).status === approved,
    })
}

export const authorizeRound = payingRound(authorizeAsk, 'AUTHORIZED')

export const voucherRound = payingRound(voucherPaymentAsk, 'PAID')

/** Measures the same request against the ceiling or the bare path. */
export async function bareRound(
  bench: Bench,
  which: 'ceiling' | 'barePath',
  clients: number,
  seconds: number,
  requestsMax = Infinity,
): Promise<MeasuredRound> {
  const { url, pids } = bench[which]
  const next = atMost(requestsMax, () => bareAsk(bench.system.target))
  const round = await measureRound({
    load: { url, clients, seconds, next, expect: 201 },
    processes: processesOf(bench),
    reported: [...Object.keys(pids), 'postgres', 'sandbox'],
  })
  if (round.failures > 0) throw new Error(`${which} failed: ${round.firstFailure}`)
  return round
}

/** Measures the acquirer's time for one authorization, over a connection like the vault's. */
export function partnerRound(bench: Bench, round: number): Promise<MeasuredRound> {
  const { system, plan } = bench
  let count = round * 100_000
  const load = {
    url: system.acquirerUrl,
    ca: system.ca,
    clients: 1,
    expect: 201,
    seconds: Math.min(plan.seconds, PARTNER_SECONDS_MAX),
    next: () => saleAsk(system.merchant, count++),
  }
  return measureRound({ load, processes: processesOf(bench), reported: ['sandbox'] })
}

function atMost(requests: number, ask: () => Ask): () => Ask | undefined {
  let asked = 0
  return () => (asked++ < requests ? ask() : undefined)
}

/** Returns every process of the bench; the bare ones have their own names. */
function processesOf({ system, ceiling, barePath }: Bench): Record<string, number> {
  return { ...system.local.ready.pids, ...ceiling.pids, ...barePath.pids }
}

/** Returns several rounds of one path as one, with the median of each figure. */
export function pathResult(path: string, clients: number, rounds: readonly MeasuredRound[]): PathResult {
  const statements = rounds.at(-1)?.statements
  return {
    path,
    clients,
    figures: medianOf(rounds.map(({ figures }) => figures)),
    ...(statements === undefined ? {} : { statements }),
    requests: rounds.reduce((sum, round) => sum + round.requests, 0),
    failures: rounds.reduce((sum, round) => sum + round.failures, 0),
  }
}
