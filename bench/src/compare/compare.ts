import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { HOT_PATHS, type HotPath } from '../hot-paths'
import { measureRound } from '../measured-round'
import { startMeasuredSystem, type MeasuredSystem } from '../measured-system'
import { cpuTimes } from '../processes'
import { rest } from '../rest'
import { settled } from '../settled'
import { between, perRequest, readStatements, type StatementCost, type Statements } from '../statements'
import { NO_WORK, readWork, workBetween, type DatabaseWork } from './database-work'

export type CompareOptions = {
  /** The other checkout, built; without it this one is measured alone. */
  before?: string
  rounds: number
  calls: number
  clients: number
  charges: number
  profileDir?: string
}

export type Side = 'before' | 'after'

/** One round of one path: milliseconds of processor time a call by process, less what runs anyway. */
export type ComparedRound = {
  cpu: Record<string, number>
  work: DatabaseWork
  /** What the calls had PostgreSQL run, the most frequent first. */
  statements: StatementCost[]
  perSecond: number
  p50: number
  failures: number
  firstFailure?: string
}

export type ComparedPath = { path: string; rounds: Partial<Record<Side, ComparedRound>>[] }

type Compared = { side: Side; system: MeasuredSystem; idle: Idle }
/** What a system uses in one second without calls. */
type Idle = {
  cpu: Record<string, number>
  work: DatabaseWork
  ran: { statements: Statements; seconds: number }
}

const ROOT = join(__dirname, '../../..')
const IDLE_SECONDS = 5
const ROUND_SECONDS_MAX = 120
const NOTHING: Idle = { cpu: {}, work: NO_WORK, ran: { statements: new Map(), seconds: 1 } }

/** Calls each path of both checkouts by turns, so that a drift of the machine meets both. */
export async function compare(
  paths: readonly string[],
  options: CompareOptions,
  progress: (text: string) => void,
): Promise<ComparedPath[]> {
  const started: Compared[] = []
  try {
    for (const [side, root] of rootsOf(options)) {
      progress(`${side}: starting ${root}`)
      started.push({ side, system: await start(root, side, options), idle: NOTHING })
    }
    progress('at rest')
    for (const one of started) await idleWhile(one, () => rest(IDLE_SECONDS))
    const chosen = HOT_PATHS.filter(({ name }) => paths.length === 0 || paths.includes(name))
    const compared: ComparedPath[] = []
    for (const path of chosen) compared.push(await comparePath(path, started, options, progress))
    return compared
  } finally {
    for (const { system } of started) await system.stop()
  }
}

function rootsOf({ before }: CompareOptions): [Side, string][] {
  return [
    ...(before === undefined ? [] : [['before', resolve(before)] as [Side, string]]),
    ['after', resolve(ROOT)],
  ]
}

function start(root: string, side: Side, { charges, profileDir }: CompareOptions): Promise<MeasuredSystem> {
  if (!existsSync(join(root, 'local/dist/start-local.js'))) throw new Error(`${root} is not a built checkout`)
  const settings = profileDir !== undefined && side === 'after' ? profiling(profileDir) : {}
  return startMeasuredSystem({ root, charges, settings, progress: () => {} })
}

function profiling(dir: string): Record<string, string> {
  return { NODE_OPTIONS: `--require ${join(__dirname, '../profiler.js')}`, PROFILE_DIR: dir }
}

/** Sets what a system at rest uses while something else is done, and returns the result of that. */
async function idleWhile<T>(one: Compared, meanwhile: () => Promise<T>): Promise<T> {
  const { system } = one
  await settled(system.adminUrl)
  const { pids } = system.local.ready
  const [at, cpu, work] = [performance.now(), cpuTimes(pids), await readWork(system.admin)]
  const earlier = await readStatements(system.admin)
  const result = await meanwhile()
  const seconds = (performance.now() - at) / 1_000
  const later = cpuTimes(pids)
  const each = Object.keys(pids).map((name) => [name, ((later[name] ?? 0) - (cpu[name] ?? 0)) / seconds])
  const perSecond = { calls: seconds, seconds: 0, idle: NO_WORK }
  one.idle = {
    cpu: Object.fromEntries(each),
    work: workBetween(work, await readWork(system.admin), perSecond),
    ran: { statements: between(earlier, await readStatements(system.admin)), seconds },
  }
  return result
}

async function comparePath(
  path: HotPath,
  started: Compared[],
  options: CompareOptions,
  progress: (text: string) => void,
): Promise<ComparedPath> {
  progress(`${path.name}: warming up`)
  for (const one of started) await turnOf(path, one, started, options)
  const rounds: ComparedPath['rounds'] = []
  for (let round = 1; round <= options.rounds; round++) {
    progress(`${path.name}: round ${round} of ${options.rounds}`)
    const turns: ComparedPath['rounds'][number] = {}
    // Who goes first changes, too.
    for (const one of round % 2 === 1 ? started : started.toReversed()) {
      turns[one.side] = await turnOf(path, one, started, options)
    }
    rounds.push(turns)
  }
  return { path: path.name, rounds }
}

/** Takes one side's turn. The other rests meanwhile: what it uses then, as busy as the machine is now, runs anyway. */
async function turnOf(
  path: HotPath,
  one: Compared,
  started: Compared[],
  options: CompareOptions,
): Promise<ComparedRound> {
  const other = started.find((each) => each !== one)
  const round = () => roundOf(path, one, options)
  return other ? idleWhile(other, round) : round()
}

async function roundOf(
  path: HotPath,
  { system, idle }: Compared,
  { calls, clients }: CompareOptions,
): Promise<ComparedRound> {
  const { url, asks, finish } = await path.prepare(system, calls)
  await settled(system.adminUrl)
  const { pids } = system.local.ready
  const [work, earlier] = [await readWork(system.admin), await readStatements(system.admin)]
  const startedAt = performance.now()
  const round = await measureRound({
    load: { url, clients, seconds: ROUND_SECONDS_MAX, expect: path.expect, next: () => asks.pop() },
    processes: pids,
    reported: Object.keys(pids),
    settle: async () => {
      await finish?.()
      await settled(system.adminUrl)
    },
  })
  const seconds = (performance.now() - startedAt) / 1_000
  const { cpu, perSecond, p50 } = round.figures
  const anyway = (name: string) => ((idle.cpu[name] ?? 0) * seconds) / round.requests
  const counted = { calls: round.requests, seconds, idle: idle.work }
  const later = await readWork(system.admin)
  const statements = between(earlier, await readStatements(system.admin))
  return {
    cpu: Object.fromEntries(Object.keys(pids).map((name) => [name, (cpu[name] ?? 0) - anyway(name)])),
    work: workBetween(work, later, counted),
    statements: perRequest({ statements, requests: round.requests, seconds }, idle.ran),
    perSecond,
    p50,
    failures: round.failures,
    ...(round.firstFailure === undefined ? {} : { firstFailure: round.firstFailure }),
  }
}
