import type { LogEvent } from '@cofre/platform/events/event-log'
import { sumOf } from '../figures'
import { cpuTimes, residentMib } from '../processes'
import { rest } from '../rest'
import { runBareLoop } from './bare-loop'
import type { MeasuredNotifier } from './measured-notifier'
import { nowMs } from './receivers'

const LOOK_EVERY_SECONDS = 0.25
const TOPIC = 'orders.v1'

/** `cpuMs` is per delivery, by process. `share` is relative to the posts per second of the bare loop. */
export type Throughput = {
  deliveries: number
  seconds: number
  perSecond: number
  barePerSecond: number
  bareCpuMs: number
  share: number
  cpuMs: Record<string, number>
  cpuMsOfAll: number
  memoryMib: number
  repeated: number
  outOfOrder: number
}

type Work = {
  deliveries: number
  batches: Iterable<LogEvent[]>
  /** The URLs of the bare loop: as many addresses as the deliveries have. */
  bareUrls: string[]
  /** The concurrent posts of the bare loop: as many as the notifier allows there. */
  atOnce: number
  /** Gives up when nothing arrives for this long. */
  patienceSeconds?: number
}

/** Measures from the first event's publishing to the last delivery's arrival, publishing as fast as the log accepts. */
export async function measureThroughput(
  notifier: MeasuredNotifier,
  { deliveries, batches, bareUrls, atOnce, patienceSeconds = 120 }: Work,
  progress: (text: string) => void,
): Promise<Throughput> {
  const { receivers, eventLog } = notifier
  await receivers.reset()
  const pids = notifier.pids()
  const cpuBefore = cpuTimes(pids)
  const startedAt = nowMs()
  const publish = async () => {
    for (const batch of batches) await eventLog.publish(TOPIC, batch)
    progress('all published')
  }
  const [memoryMib] = await Promise.all([
    untilArrived(notifier, () => deliveries, patienceSeconds, progress),
    publish(),
  ])
  const counts = await receivers.counts()
  const seconds = (counts.lastAtMs - startedAt) / 1_000
  await untilWritten(notifier, patienceSeconds)
  const cpuAfter = cpuTimes(pids)
  const cpuMs = Object.fromEntries(
    Object.entries(cpuAfter).map(([name, ms]) => [name, (ms - (cpuBefore[name] ?? 0)) / deliveries]),
  )
  const bare = await runBareLoop({
    urls: bareUrls,
    samples: await receivers.samples(),
    count: Math.min(deliveries, 20_000),
    atOnce,
  })
  if (bare.failures > 0) throw new Error(`${bare.failures} posts of the bare loop failed`)
  const perSecond = deliveries / seconds
  return {
    deliveries,
    seconds,
    perSecond,
    barePerSecond: bare.perSecond,
    bareCpuMs: bare.cpuMs,
    share: perSecond / bare.perSecond,
    cpuMs,
    cpuMsOfAll: sumOf(cpuMs),
    memoryMib,
    repeated: counts.repeated,
    outOfOrder: counts.outOfOrder,
  }
}

/** Resolves when the wanted number has arrived, with the notifier's peak memory until then, in MiB. */
export async function untilArrived(
  { receivers, pids }: Pick<MeasuredNotifier, 'receivers' | 'pids'>,
  wanted: () => number,
  patienceSeconds: number,
  progress: (text: string) => void,
): Promise<number> {
  const pid = pids()['notifier'] ?? 0
  let most = 0
  let [last, lastAt, toldAt] = [0, nowMs(), nowMs()]
  for (;;) {
    most = Math.max(most, residentMib(pid))
    const { distinct } = await receivers.counts()
    if (distinct >= wanted()) return most
    const now = nowMs()
    if (distinct > last) [last, lastAt] = [distinct, now]
    if (now - lastAt > patienceSeconds * 1_000)
      throw new Error(`${distinct} of ${wanted()} arrived, and nothing for ${patienceSeconds} s`)
    if (now - toldAt > 10_000) {
      progress(`${distinct} of ${wanted()} arrived`)
      toldAt = now
    }
    await rest(LOOK_EVERY_SECONDS)
  }
}

/** Resolves when every outcome is stored, a moment after the last arrival. Throws when nothing changes for so long. */
export async function untilWritten(
  { pool }: Pick<MeasuredNotifier, 'pool'>,
  patienceSeconds: number,
): Promise<void> {
  let [fewest, lastAt] = [Infinity, nowMs()]
  for (;;) {
    const { rows: waiting } = await pool.query(
      "SELECT attempts, last_error, count(*) FROM deliveries WHERE status = 'PENDING' GROUP BY 1, 2",
    )
    if (waiting.length === 0) return
    const pending = waiting.reduce((sum, { count }) => sum + count, 0)
    if (pending < fewest) [fewest, lastAt] = [pending, nowMs()]
    if (nowMs() - lastAt > patienceSeconds * 1_000)
      throw new Error(`what arrived was not written: ${JSON.stringify(waiting)}`)
    await rest(LOOK_EVERY_SECONDS)
  }
}
