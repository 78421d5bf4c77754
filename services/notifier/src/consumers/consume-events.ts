import type { LogEvent, Subscription } from '@cofre/platform/events/event-log'
import { handleEvent, observeLag } from '@cofre/platform/events/handle-event'
import { isSampled } from '@cofre/platform/telemetry/spans'
import type { Deps } from '../deps'
import { SOURCES } from '../notifications/sources'
import type { Starter } from './first-attempts'
import { GROUP, takeEvents, type Consumer } from './take-events'

const TIMEOUT_MS = 10_000

/** Makes the deliveries of each event for whoever asked to be told, and begins those that there is room for. */
export async function consumeEvents(deps: Deps, starter: Starter): Promise<Subscription[]> {
  const subscriptions: Subscription[] = []
  let last: Promise<void> = Promise.resolve()
  const inTurn = (work: () => Promise<void>) => (last = last.then(work, work))
  for (const source of SOURCES)
    subscriptions.push(await consume({ deps, source, starter, inTurn, notStored: new Set() }))
  return subscriptions
}

function consume(consumer: Consumer): Promise<Subscription> {
  const { deps, source } = consumer
  observeLag(deps.eventLog, GROUP, source.topic)
  // Kinds of event that this consumer does not know are none of its business.
  const isKnown = (event: LogEvent) => event.type.startsWith(`${source.resourceKind}.`)
  const takeOne = async (event: LogEvent, aheadMs?: number) => {
    if (isKnown(event)) await handleEvent(event, TIMEOUT_MS, () => takeEvents(consumer, [event], aheadMs))
  }
  const takeMany = async (events: readonly LogEvent[]) => {
    const known = events.filter(isKnown)
    // Each traced event has a span of its own, and a batch of them does not wait for one receiver after another.
    if (known.some(({ traceparent }) => isSampled(traceparent)))
      for (const event of known) await takeOne(event, 0)
    else await takeEvents(consumer, known)
  }
  return deps.eventLog.subscribe(GROUP, source.topic, (event) => takeOne(event), takeMany)
}
