import { cpus } from 'node:os'
import { percentile, sumOf, type Figures } from './figures'
import { drive, type Load } from './load'
import { cpuTimes, machineBusyMs } from './processes'
import type { StatementCost } from './statements'

export type MeasuredRound = {
  figures: Figures
  requests: number
  failures: number
  firstFailure?: string
  statements?: StatementCost[]
  /** The share of the machine that programs outside the bench used during the round. */
  others: number
}

type Measure = {
  load: Load
  /** Every process of the bench: the rest of the machine's busy time belongs to others. */
  processes: Record<string, number>
  /** The processes whose CPU time the round reports. */
  reported: string[]
  /** Waits for the work that the round caused, so that deferred work is charged to its own round. */
  settle?: () => Promise<void>
}

/** Measures one round and the CPU time that it cost. */
export async function measureRound({ load, processes, reported, settle }: Measure): Promise<MeasuredRound> {
  const before = takeTimes(processes)
  const round = await drive(load)
  const generatorMs = takeTimes({}).own - before.own
  await settle?.()
  const after = takeTimes(processes)
  const requests = round.latenciesMs.length
  const spent = (name: string) => ((after.cpu[name] ?? 0) - (before.cpu[name] ?? 0)) / requests
  const ours = sumOf(after.cpu) - sumOf(before.cpu) + after.own - before.own
  return {
    requests,
    failures: round.failures,
    ...(round.firstFailure === undefined ? {} : { firstFailure: round.firstFailure }),
    others: Math.max(0, after.machine - before.machine - ours) / ((after.at - before.at) * cpus().length),
    figures: {
      perSecond: requests / round.seconds,
      p50: percentile(round.latenciesMs, 0.5),
      p95: percentile(round.latenciesMs, 0.95),
      p99: percentile(round.latenciesMs, 0.99),
      cpu: {
        ...Object.fromEntries(reported.map((name) => [name, spent(name)])),
        'load generator': generatorMs / requests,
      },
    },
  }
}

/** Returns milliseconds of CPU time and of elapsed time. */
function takeTimes(processes: Record<string, number>) {
  const { user, system } = process.cpuUsage()
  return {
    at: performance.now(),
    machine: machineBusyMs(),
    own: (user + system) / 1_000,
    cpu: cpuTimes(processes),
  }
}
