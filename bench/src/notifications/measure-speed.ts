import { percentile } from '../figures'
import { chargeEvent, eventsOfCharges, webhookIdOf } from './charge-events'
import { startMeasuredNotifier, type EventLogKind, type MeasuredNotifier } from './measured-notifier'
import { nowMs } from './receivers'
import { measureThroughput, type Throughput } from './throughput'

const WARM_UP = 50
// The first event waits until Kafka has assigned the consumer its partitions.
const ARRIVAL_MS_MAX = 60_000
/** The concurrent attempts at one receiver, and in one process. */
const SLOTS = { receiver: 64, process: 256 }
/** A seller may have no more endpoints than this. */
const ENDPOINTS_OF_SELLER = 50
const FAN_OUT_SELLERS = [11, 12]

const P50_MAX_MS = 5
const P99_MAX_MS = 20
const ONE_PER_SECOND_MIN = 1_200
const FAN_OUT_PER_SECOND_MIN = 4_000
const SHARE_MIN = 0.5

export type SpeedOptions = { events: number; singles: number; eventLog: EventLogKind; profileDir?: string }

/** Milliseconds. `withCommit` counts from just before the publishing, and so includes the commit. */
export type Latency = { p50: number; p99: number; withCommit: { p50: number; p99: number } }
export type SpeedResult = {
  eventLog: EventLogKind
  singles: number
  latency: Latency
  one: Throughput
  fanOut: Throughput
  budgets: { budget: string; found: string; kept: boolean }[]
}

/** Measures single events, many events to one endpoint, and events to a hundred endpoints. */
export async function measureSpeed(
  options: SpeedOptions,
  progress: (text: string) => void,
): Promise<SpeedResult> {
  const { eventLog, events, singles, profileDir } = options
  const notifier = await startMeasuredNotifier({ eventLog, profileDir })
  try {
    await notifier.start()
    progress(`${singles} events, one at a time`)
    const latency = await measureLatency(notifier, singles)
    progress(`${events} events to one endpoint`)
    const one = await toOneEndpoint(notifier, events, progress)
    progress(`${events} deliveries to ${FAN_OUT_SELLERS.length * ENDPOINTS_OF_SELLER} endpoints`)
    const fanOut = await toManyEndpoints(notifier, events, progress)
    return { eventLog, singles, latency, one, fanOut, budgets: budgetsOf(latency, one, fanOut) }
  } finally {
    await notifier.stop()
  }
}

/** Publishes each event after the one before has arrived. */
export async function measureLatency(notifier: MeasuredNotifier, singles: number): Promise<Latency> {
  const { receivers, eventLog } = notifier
  await receivers.reset()
  const sellerId = 9
  await notifier.createEndpoint(sellerId, receivers.urlOf(sellerId, 0, 'answer', 'timed-told'))
  const begun = new Map<string, { before: number; committed: number }>()
  for (let chargeId = 1; chargeId <= WARM_UP + singles; chargeId++) {
    const event = chargeEvent({ sellerId, chargeId })
    const webhookId = webhookIdOf(event)
    const arrival = arrivalOf(notifier, webhookId)
    const before = nowMs()
    await eventLog.publish('orders.v1', [event])
    const committed = nowMs()
    await arrival
    if (chargeId > WARM_UP) begun.set(webhookId, { before, committed })
  }
  const arrivals = await receivers.arrivals()
  // The answer to a commit may come after the delivery has arrived.
  const since = (moment: 'before' | 'committed') =>
    [...begun].map(([id, at]) => Math.max((arrivals.get(id) ?? Infinity) - at[moment], 0))
  const of = (times: number[]) => ({ p50: percentile(times, 0.5), p99: percentile(times, 0.99) })
  return { ...of(since('committed')), withCommit: of(since('before')) }
}

function arrivalOf({ receivers }: MeasuredNotifier, webhookId: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = new Error(`nothing arrived within ${ARRIVAL_MS_MAX} ms`)
    const timer = setTimeout(() => reject(late), ARRIVAL_MS_MAX)
    receivers.onArrival((arrived) => {
      if (arrived !== webhookId) return
      clearTimeout(timer)
      resolve()
    })
  })
}

async function toOneEndpoint(
  notifier: MeasuredNotifier,
  events: number,
  progress: (text: string) => void,
): Promise<Throughput> {
  const sellerId = 10
  const url = notifier.receivers.urlOf(sellerId, 0)
  await notifier.createEndpoint(sellerId, url)
  const batches = eventsOfCharges(sellerId, events)
  const work = { deliveries: events, batches, bareUrls: [url], atOnce: SLOTS.receiver }
  return measureThroughput(notifier, work, progress)
}

async function toManyEndpoints(
  notifier: MeasuredNotifier,
  wanted: number,
  progress: (text: string) => void,
): Promise<Throughput> {
  const bareUrls: string[] = []
  for (const sellerId of FAN_OUT_SELLERS) {
    for (let which = 0; which < ENDPOINTS_OF_SELLER; which++) {
      const url = notifier.receivers.urlOf(sellerId, which)
      await notifier.createEndpoint(sellerId, url)
      bareUrls.push(url)
    }
  }
  const ofSeller = Math.ceil(wanted / bareUrls.length)
  const batches = FAN_OUT_SELLERS.flatMap((sellerId) => [...eventsOfCharges(sellerId, ofSeller)])
  const deliveries = ofSeller * bareUrls.length
  const work = { deliveries, batches, bareUrls, atOnce: SLOTS.process }
  return measureThroughput(notifier, work, progress)
}

function budgetsOf(latency: Latency, one: Throughput, fanOut: Throughput): SpeedResult['budgets'] {
  const atMost = (budget: string, found: number, limit: number) => ({
    budget: `${budget} ≤ ${limit} ms`,
    found: found.toFixed(1),
    kept: found <= limit,
  })
  const atLeast = (budget: string, found: number, limit: number, digits = 0) => ({
    budget: `${budget} ≥ ${limit}`,
    found: found.toFixed(digits),
    kept: found >= limit,
  })
  const inOrder = (budget: string, { outOfOrder, repeated }: Throughput) => ({
    budget,
    found: `${outOfOrder} out of order, ${repeated} repeated`,
    kept: outOfOrder + repeated === 0,
  })
  return [
    atMost('one at a time, commit to receipt, p50', latency.p50, P50_MAX_MS),
    atMost('the same, p99', latency.p99, P99_MAX_MS),
    atLeast('one endpoint, deliveries a second', one.perSecond, ONE_PER_SECOND_MIN),
    atLeast('the same, of the bare loop', one.share, SHARE_MIN, 2),
    inOrder('the same, order within each charge', one),
    atLeast('a hundred endpoints, deliveries a second', fanOut.perSecond, FAN_OUT_PER_SECOND_MIN),
    atLeast('the same, of the bare loop', fanOut.share, SHARE_MIN, 2),
    inOrder('the same, order within each charge', fanOut),
  ]
}
