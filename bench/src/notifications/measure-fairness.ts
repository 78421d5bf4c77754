import type { LogEvent } from '@cofre/platform/events/event-log'
import { percentile } from '../figures'
import { rest } from '../rest'
import { chargeEvent, webhookIdOf } from './charge-events'
import { startMeasuredNotifier, type EventLogKind, type MeasuredNotifier } from './measured-notifier'
import { nowMs } from './receivers'

const TARPITS = 8
const RECEIVERS_OF_SELLER_2 = 100
/** The endpoints of seller 5, each of which receives all its events. */
const SLOW_ENDPOINTS = 20
const SELLERS = { tarpits: 1, many: 2, quiet: 3, busy: 4, slow: 5 }
const EVERY_MS = 50
const ARRIVAL_SECONDS_MAX = 60
/** The most that a first attempt may be delayed at p99 by the other sellers. */
const DELAY_MAX_MS = 250

export type FairnessOptions = {
  /** The waiting charges of seller 1. */
  waiting: number
  /** The events of seller 3 in each of its runs. */
  pings: number
  eventLog: EventLogKind
  profileDir?: string | undefined
}
type Times = { p50: number; p99: number; max: number }
/** `others`: seller 2's healthy receivers during `beside`. `besideSlow`: seller 3 beside the tarpits and seller 5. */
export type FairnessResult = FairnessOptions & {
  alone: Times
  beside: Times
  others: Times
  besideSlow: Times
  kept: boolean
}

/**
 * Measures the milliseconds from just before an event's publishing to its first attempt, for a seller alone and beside
 * sellers whose receivers hang or refuse.
 */
export async function measureFairness(
  options: FairnessOptions,
  progress: (text: string) => void,
): Promise<FairnessResult> {
  const notifier = await startMeasuredNotifier(options)
  try {
    await notifier.start()
    const { receivers } = notifier
    const url = receivers.urlOf(SELLERS.quiet, 0, 'answer', 'timed')
    await notifier.createEndpoint(SELLERS.quiet, url)
    await ping(notifier, 50)
    progress('seller 3 alone')
    const alone = await ping(notifier, options.pings)
    progress(`${options.waiting} charges wait for ${TARPITS} tarpits of seller 1`)
    await fillTarpits(notifier, options.waiting)
    progress('seller 3 beside them, a hundred receivers of seller 2, and one of seller 4 that answers 429')
    const noise = makeNoise(notifier)
    const beside = await ping(notifier, options.pings)
    const others = await noise.stop()
    progress(`seller 3 beside ${SLOW_ENDPOINTS} endpoints of seller 5, each of which answers after 90 ms`)
    const slow = await tellSlowEndpoints(notifier)
    const besideSlow = await ping(notifier, options.pings)
    await slow.stop()
    const kept = Math.max(beside.p99, besideSlow.p99) - alone.p99 <= DELAY_MAX_MS
    return { ...options, alone, beside, others, besideSlow, kept }
  } finally {
    await notifier.stop()
  }
}

const publish = ({ eventLog }: MeasuredNotifier, events: readonly LogEvent[]) =>
  eventLog.publish('orders.v1', events)

let lastCharge = 0
const newCharge = () => (lastCharge += 1)

/** Publishes an event of seller 3 every 50 ms, and waits until all have arrived. */
async function ping(notifier: MeasuredNotifier, count: number): Promise<Times> {
  const begun = new Map<string, number>()
  for (let each = 0; each < count; each++) {
    const event = chargeEvent({ sellerId: SELLERS.quiet, chargeId: newCharge() })
    begun.set(webhookIdOf(event), nowMs())
    await Promise.all([publish(notifier, [event]), rest(EVERY_MS / 1_000)])
  }
  return timesOf(notifier, begun)
}

async function timesOf({ receivers }: MeasuredNotifier, begun: ReadonlyMap<string, number>): Promise<Times> {
  for (const until = nowMs() + ARRIVAL_SECONDS_MAX * 1_000; ; await rest(0.1)) {
    const arrivals = await receivers.arrivals()
    const times = [...begun].map(([id, at]) => (arrivals.get(id) ?? Infinity) - at)
    if (times.every(Number.isFinite) || nowMs() > until)
      return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), max: Math.max(...times) }
  }
}

/** Publishes charges for the tarpits, and resolves when all their deliveries are stored. */
async function fillTarpits(notifier: MeasuredNotifier, waiting: number): Promise<void> {
  const events = Array.from({ length: waiting }, (_each, at) =>
    chargeEvent({
      sellerId: SELLERS.tarpits,
      chargeId: newCharge(),
      url: notifier.receivers.urlOf(SELLERS.tarpits, at % TARPITS, 'hang'),
    }),
  )
  await publish(notifier, events)
  for (const until = nowMs() + ARRIVAL_SECONDS_MAX * 1_000; nowMs() < until; await rest(0.1)) {
    const { rows } = await notifier.pool.query(
      'SELECT count(*) AS stored FROM deliveries WHERE seller_id = $1',
      [SELLERS.tarpits],
    )
    if (Number(rows[0].stored) >= waiting) return
  }
  throw new Error('the charges of seller 1 were not taken')
}

/** Publishes an event to seller 2, one of whose receivers hangs, and one to seller 4's busy receiver, every 50 ms. */
function makeNoise(notifier: MeasuredNotifier) {
  const { receivers } = notifier
  const begun = new Map<string, number>()
  let isOver = false
  const urlOf = (which: number) =>
    receivers.urlOf(SELLERS.many, which, which === 0 ? 'hang' : 'answer', 'timed')
  const busy = receivers.urlOf(SELLERS.busy, 0, 'busy')
  const run = async () => {
    for (let round = 0; !isOver; round++) {
      // The hanging receiver gets as many events as all others together.
      const which = round % 2 === 0 ? 0 : 1 + (((round - 1) / 2) % (RECEIVERS_OF_SELLER_2 - 1))
      const event = chargeEvent({ sellerId: SELLERS.many, chargeId: newCharge(), url: urlOf(which) })
      const refused = chargeEvent({ sellerId: SELLERS.busy, chargeId: newCharge(), url: busy })
      if (which > 0) begun.set(webhookIdOf(event), nowMs())
      await Promise.all([publish(notifier, [event, refused]), rest(EVERY_MS / 1_000)])
    }
  }
  const running = run()
  return {
    stop: async () => {
      isOver = true
      await running
      return timesOf(notifier, begun)
    },
  }
}

/** Publishes every 50 ms an event of seller 5, which goes to all its endpoints. */
async function tellSlowEndpoints(notifier: MeasuredNotifier) {
  for (let which = 0; which < SLOW_ENDPOINTS; which++)
    await notifier.createEndpoint(SELLERS.slow, notifier.receivers.urlOf(SELLERS.slow, which, 'slow'))
  let isOver = false
  const run = async () => {
    while (!isOver) {
      const event = chargeEvent({ sellerId: SELLERS.slow, chargeId: newCharge() })
      await Promise.all([publish(notifier, [event]), rest(EVERY_MS / 1_000)])
    }
  }
  const running = run()
  return {
    stop: async () => {
      isOver = true
      await running
    },
  }
}
