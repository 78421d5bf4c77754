import { UnreadableEvent, type LogEvent, type Subscription } from '@cofre/platform/events/event-log'
import { handleEvent, observeLag } from '@cofre/platform/events/handle-event'
import { handleAllOnce } from '@cofre/platform/events/inbox'
import type { Db } from '@cofre/platform/postgres/postgres'
import { isSampled } from '@cofre/platform/telemetry/spans'
import { insertDeliveries, type Opened } from '../deliveries/delivery-store'
import type { Deps } from '../deps'
import { endpointsForAll } from '../endpoints/endpoint-store'
import { keepForListeners, wantedByListeners } from '../listeners/listener-store'
import type { Notification } from '../notifications/envelope'
import { notificationOf, SOURCES, type Source } from '../notifications/sources'
import { openFirstAttempts, type FirstAttempts, type Starter } from './first-attempts'

const GROUP = 'notifier'
const TIMEOUT_MS = 10_000
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Makes the deliveries of each event for whoever asked to be told, and begins those that there is room for. */
export async function consumeEvents(deps: Deps, starter: Starter): Promise<Subscription[]> {
  const subscriptions: Subscription[] = []
  for (const source of SOURCES) subscriptions.push(await consume(deps, source, starter))
  return subscriptions
}

function consume(deps: Deps, source: Source, starter: Starter): Promise<Subscription> {
  observeLag(deps.eventLog, GROUP, source.topic)
  // Kinds of event that this consumer does not know are none of its business.
  const isKnown = (event: LogEvent) => event.type.startsWith(`${source.resourceKind}.`)
  const takeOne = async (event: LogEvent) => {
    if (isKnown(event)) await handleEvent(event, TIMEOUT_MS, () => takeEvents(deps, source, [event], starter))
  }
  const takeMany = async (events: readonly LogEvent[]) => {
    const known = events.filter(isKnown)
    // Each traced event has a span of its own.
    if (known.some(({ traceparent }) => isSampled(traceparent)))
      for (const event of known) await takeOne(event)
    else await takeEvents(deps, source, known, starter)
  }
  return deps.eventLog.subscribe(GROUP, source.topic, takeOne, takeMany)
}

type Read = { eventId: string; notification: Notification }

async function takeEvents(
  deps: Deps,
  source: Source,
  events: readonly LogEvent[],
  starter: Starter,
): Promise<void> {
  const read = events.map((event) => ({ eventId: event.id, notification: readEvent(deps, source, event) }))
  const asked = await thoseAskedFor(deps, read)
  if (asked.length === 0) return
  const attempts = openFirstAttempts(starter)
  let opened: Opened[] = []
  try {
    await handleAllOnce(
      deps.pool,
      GROUP,
      asked.map(({ eventId }) => eventId),
      async (tx, fresh) => {
        // One batch may hold an event twice.
        const once = new Map(asked.map((each) => [each.eventId, each]))
        const told = [...once.values()].filter(({ eventId }) => fresh.has(eventId))
        opened = await tell(deps, tx, told, attempts)
      },
    )
  } catch (error) {
    attempts.giveUp()
    throw error
  }
  attempts.begin(opened)
}

/** Most sellers ask for nothing; for them the event is not even marked. */
async function thoseAskedFor({ pool }: Deps, read: readonly Read[]): Promise<Read[]> {
  const inEnvelopes = read.map(({ notification }) => notification).filter(({ plain }) => !plain)
  const [endpointsOf, isListened] = await Promise.all([
    endpointsForAll(pool, inEnvelopes),
    wantedByListeners(pool, inEnvelopes),
  ])
  return read.filter(
    ({ notification: each }) => each.plain !== undefined || endpointsOf(each).length > 0 || isListened(each),
  )
}

async function tell(
  { delivery }: Deps,
  tx: Db,
  told: readonly Read[],
  attempts: FirstAttempts,
): Promise<Opened[]> {
  const notifications = told.map(({ notification }) => notification)
  const endpointsOf = await endpointsForAll(tx, notifications)
  const deliveries = notifications.flatMap((each) => attempts.admit(each, endpointsOf(each)))
  const opened = deliveries.length > 0 ? await insertDeliveries(tx, deliveries, delivery.leaseMs) : []
  if (notifications.length > 0) await keepForListeners(tx, notifications)
  return opened
}

function readEvent({ baseUrl }: Deps, source: Source, event: LogEvent): Notification {
  if (!UUID.test(event.id)) throw new UnreadableEvent('the event id is not a UUID')
  try {
    return notificationOf(source, event, baseUrl)
  } catch (error) {
    // The message of a syntax error quotes what it could not read, so only the kind of the error is told.
    throw new UnreadableEvent(error instanceof Error ? error.name : 'unknown')
  }
}
