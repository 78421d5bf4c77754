import type { EventLogKind } from './measured-notifier'
import { measureBacklog, type BacklogResult } from './measure-backlog'
import { measureFairness, type FairnessResult } from './measure-fairness'
import { measureSpeed, type SpeedResult } from './measure-speed'
import type { Throughput } from './throughput'

/** The values of `--notifications`. */
export const NOTIFICATION_RUNS = ['speed', 'fairness', 'backlog'] as const
export type NotificationRun = (typeof NOTIFICATION_RUNS)[number]

export type NotificationOptions = {
  events: number
  singles: number
  /** By default 1,000 for fairness and 1,000,000 for a backlog. */
  waiting?: number | undefined
  pings: number
  eventLog: EventLogKind
  profileDir?: string | undefined
}

/** Measures the notifier alone. The report is Markdown. */
export async function runNotifications(
  run: NotificationRun,
  options: NotificationOptions,
  progress: (text: string) => void,
): Promise<{ report: string; kept: boolean }> {
  if (run === 'speed') {
    const result = await measureSpeed(options, progress)
    return { report: speedReport(result), kept: result.budgets.every(({ kept }) => kept) }
  }
  if (run === 'fairness') {
    const result = await measureFairness({ ...options, waiting: options.waiting ?? 1_000 }, progress)
    return { report: fairnessReport(result), kept: result.kept }
  }
  const result = await measureBacklog({ ...options, waiting: options.waiting ?? 1_000_000 }, progress)
  return { report: backlogReport(result), kept: result.kept }
}

const verdict = (kept: boolean) => (kept ? 'kept' : '**missed**')
const ms = (value: number) => value.toFixed(1)

export function speedReport({ eventLog, singles, latency, one, fanOut, budgets }: SpeedResult): string {
  const { withCommit } = latency
  return [
    `Event log: ${eventLog}.`,
    `${singles} events one at a time: commit to receipt p50 ${ms(latency.p50)} ms, p99 ${ms(latency.p99)} ms; with the commit p50 ${ms(withCommit.p50)} ms, p99 ${ms(withCommit.p99)} ms.`,
    '',
    '| to | deliveries | seconds | a second | bare loop | of it | CPU ms of all | of the bare loop | by process | memory MiB |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    throughputRow('one endpoint', one),
    throughputRow('a hundred endpoints', fanOut),
    '',
    '| budget | found | |',
    '| --- | --- | --- |',
    ...budgets.map(({ budget, found, kept }) => `| ${budget} | ${found} | ${verdict(kept)} |`),
  ].join('\n')
}

function throughputRow(to: string, result: Throughput): string {
  const { deliveries, seconds, perSecond, barePerSecond, share, cpuMsOfAll, bareCpuMs, cpuMs, memoryMib } =
    result
  const byProcess = Object.entries(cpuMs).map(([name, each]) => `${name} ${each.toFixed(2)}`)
  const cells = [
    to,
    deliveries,
    ms(seconds),
    perSecond.toFixed(0),
    barePerSecond.toFixed(0),
    share.toFixed(2),
    cpuMsOfAll.toFixed(2),
    bareCpuMs.toFixed(2),
    byProcess.join(', '),
    memoryMib.toFixed(0),
  ]
  return `| ${cells.join(' | ')} |`
}

export function fairnessReport(result: FairnessResult): string {
  const { waiting, pings, alone, beside, others, besideSlow, kept } = result
  const row = (who: string, { p50, p99, max }: FairnessResult['alone']) =>
    `| ${who} | ${ms(p50)} | ${ms(p99)} | ${ms(max)} |`
  return [
    `${pings} events of seller 3, one each 50 ms; ${waiting} charges waited for eight receivers of seller 1 that hang.`,
    '',
    '| first attempts | p50 ms | p99 ms | slowest ms |',
    '| --- | --- | --- | --- |',
    row('seller 3 alone', alone),
    row('seller 3 beside the others', beside),
    row('seller 2 meanwhile, whose other receiver hangs', others),
    row('seller 3 beside them and twenty endpoints of seller 5 that answer after 90 ms', besideSlow),
    '',
    `Later at p99: ${ms(beside.p99 - alone.p99)} and ${ms(besideSlow.p99 - alone.p99)} ms, at most 250: ${verdict(kept)}.`,
  ].join('\n')
}

export function backlogReport(result: BacklogResult): string {
  const { waiting, claims, seconds, perSecond, outOfOrder, repeated, memoryMib, alone, meanwhile, kept } =
    result
  return [
    `${waiting} deliveries recovered in ${seconds.toFixed(0)} s: ${perSecond.toFixed(0)} a second, ${outOfOrder} out of order, ${repeated} repeated; notifier ${memoryMib.toFixed(0)} MiB at most.`,
    `Another seller, one event each 100 ms: alone p50 ${ms(alone.p50)} ms, p99 ${ms(alone.p99)} ms; meanwhile p50 ${ms(meanwhile.p50)} ms, p99 ${ms(meanwhile.p99)} ms (${meanwhile.count} events).`,
    '',
    '| waiting | a claim of 64, ms | pages |',
    '| --- | --- | --- |',
    ...claims.map((each) => `| ${each.waiting} | ${each.ms.toFixed(2)} | ${each.pages} |`),
    '',
    `A claim costs at most twice as much, nothing is out of order or repeated, nobody waits 250 ms longer at p99: ${verdict(kept)}.`,
  ].join('\n')
}
