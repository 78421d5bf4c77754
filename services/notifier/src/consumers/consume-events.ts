import { resourceKindOf } from '@cofre/api/events'
import type { LogEvent, Subscription } from '@cofre/platform/events/event-log'
import { handleEvents, observeLag } from '@cofre/platform/events/handle-event'
import type { Deps } from '../deps'
import { SOURCES } from '../notifications/sources'
import type { Starter } from './first-attempts'
import { GROUP, takeEvents, type Consumer } from './take-events'
import { openTurns } from './turns'

const TIMEOUT_MS = 10_000

/** Makes the deliveries of each event for every receiver that asked for it, and begins them where there is room. */
export async function consumeEvents(deps: Deps, starter: Starter): Promise<Subscription[]> {
  const subscriptions: Subscription[] = []
  const inTurn = openTurns()
  for (const source of SOURCES)
    subscriptions.push(await consume({ deps, source, starter, inTurn, notStored: new Set() }))
  return subscriptions
}

function consume(consumer: Consumer): Promise<Subscription> {
  const { deps, source } = consumer
  observeLag(deps.eventLog, GROUP, source.topic)
  // This consumer skips the kinds of event that it does not know.
  const isKnown = ({ type }: LogEvent) => resourceKindOf(type) === source.resourceKind
  const take = async (events: readonly LogEvent[]) => {
    const known = events.filter(isKnown)
    if (known.length > 0) await handleEvents(known, TIMEOUT_MS, (traced) => takeEvents(consumer, traced))
  }
  return deps.eventLog.subscribe(GROUP, source.topic, (event) => take([event]), take)
}
