import type { EventLogKind } from './measured-notifier'
import { measureSpeed, type SpeedResult } from './measure-speed'
import type { Throughput } from './throughput'

export type NotificationOptions = {
  events: number
  singles: number
  eventLog: EventLogKind
  profileDir?: string | undefined
}

/** Measures the notifier alone. The report is Markdown. */
export async function runNotifications(
  options: NotificationOptions,
  progress: (text: string) => void,
): Promise<{ report: string; kept: boolean }> {
  const result = await measureSpeed(options, progress)
  return { report: speedReport(result), kept: result.budgets.every(({ kept }) => kept) }
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
