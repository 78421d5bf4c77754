import { mkdirSync } from 'node:fs'
import { startCeiling } from './ceiling/ceiling'
import { measureDeliveries } from './deliveries'
import { percentile } from './figures'
import type { Ask } from './load'
import { startMeasuredSystem, type MeasuredSystem } from './measured-system'
import { captureAsk, listAsk, readAsk, tokenizeAsk } from './paths'
import { memory } from './processes'
import { rest } from './rest'
import type { PathResult, Plan, Result } from './result'
import {
  authorizeRound,
  ceilingRound,
  partnerRound,
  pathResult,
  systemRound,
  type Bench,
  type MeasuredRound,
} from './rounds'
import { between, readStatements } from './statements'

const CLIENTS = [1, 16] as const
const IDLE_SECONDS = 5

/** Measures everything on the Node that runs this process. */
export async function measure(plan: Plan, progress: (text: string) => void): Promise<Result> {
  if (plan.profileDir !== undefined) mkdirSync(plan.profileDir, { recursive: true })
  const settings: Record<string, string> =
    plan.profileDir === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${plan.profileDir}` }
  const system = await startMeasuredSystem({ charges: plan.charges, settings, progress })
  try {
    progress(`everything answers after ${system.startSeconds.toFixed(1)} s`)
    const { adminUrl, tlsOf } = system
    const ceiling = await startCeiling({
      adminUrl,
      backendTls: tlsOf('orders'),
      gatewayTls: tlsOf('gateway'),
    })
    try {
      await rest(IDLE_SECONDS)
      const idleMemory = memory(system.local.ready.pids)
      const idle = await idleStatements(system)
      const bench = { system, ceiling, plan, progress, idle, authorized: [], firstFailure: null }
      return { ...(await measureAll(bench)), idleMemory }
    } finally {
      await ceiling.stop()
    }
  } finally {
    await system.stop()
  }
}

async function idleStatements({ admin }: MeasuredSystem): Promise<Bench['idle']> {
  const before = await readStatements(admin)
  await rest(IDLE_SECONDS)
  return { statements: between(before, await readStatements(admin)), seconds: IDLE_SECONDS }
}

async function measureAll(bench: Bench): Promise<Omit<Result, 'idleMemory'>> {
  const { system, plan, progress } = bench
  progress('warming up')
  await authorizeRound(bench, 16, plan.warmUpSeconds)
  await ceilingRound(bench, 16, plan.warmUpSeconds)
  const inTurns = await measureInTurns(bench)
  const others = await measureOthers(bench)
  progress(`event to first delivery, ${plan.deliveries} times`)
  const delays = await measureDeliveries(system.target, plan.deliveries)
  return {
    node: process.version,
    ...inTurns,
    others,
    delivery: { count: delays.length, p50: percentile(delays, 0.5), p99: percentile(delays, 0.99) },
    startSeconds: system.startSeconds,
    firstFailure: bench.firstFailure,
  }
}

/** The ceiling and the system in short rounds by turns, so that a drift of the machine meets both. */
async function measureInTurns(bench: Bench): Promise<Pick<Result, 'authorize' | 'ceiling' | 'partner'>> {
  const { plan, progress } = bench
  const authorize: PathResult[] = []
  const ceiling: PathResult[] = []
  const partnerRounds: MeasuredRound[] = []
  for (const clients of CLIENTS) {
    const rounds: { system: MeasuredRound; ceiling: MeasuredRound }[] = []
    for (let round = 1; round <= plan.rounds; round++) {
      progress(`authorize, ${clients} at once, round ${round} of ${plan.rounds}`)
      rounds.push({
        ceiling: await ceilingRound(bench, clients, plan.seconds),
        system: await authorizeRound(bench, clients, plan.seconds),
      })
      if (clients === 1) partnerRounds.push(await partnerRound(bench, round))
    }
    authorize.push(
      pathResult(
        'authorize',
        clients,
        rounds.map(({ system }) => system),
      ),
    )
    ceiling.push(
      pathResult(
        'ceiling',
        clients,
        rounds.map((round) => round.ceiling),
      ),
    )
  }
  return { authorize, ceiling, partner: pathResult('acquirer alone', 1, partnerRounds) }
}

async function measureOthers(bench: Bench): Promise<PathResult[]> {
  const { system, plan, progress } = bench
  const results: PathResult[] = []
  let cards = 0
  let reads = 0
  const newest = bench.authorized[0] ?? 1
  const paths: [string, number, () => Ask | undefined][] = [
    ['tokenize', 201, () => tokenizeAsk(system.target, cards++)],
    ['capture', 201, () => captureNext(bench)],
    ['read', 200, () => readAsk(system.target, newest - (reads++ % plan.charges))],
    ['list', 200, () => listAsk(system.target)],
  ]
  for (const [path, expect, next] of paths) {
    for (const clients of CLIENTS) {
      progress(`${path}, ${clients} at once`)
      const round = await systemRound(bench, { clients, seconds: plan.seconds, next, expect })
      results.push(pathResult(path, clients, [round]))
    }
  }
  return results
}

function captureNext({ authorized, system }: Bench): Ask | undefined {
  const id = authorized.pop()
  return id === undefined ? undefined : captureAsk(system.target, id)
}
