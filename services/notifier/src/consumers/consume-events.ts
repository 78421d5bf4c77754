import { UnreadableEvent, type LogEvent, type Subscription } from '@cofre/platform/events/event-log'
import { handleEvent, observeLag } from '@cofre/platform/events/handle-event'
import { handleOnce } from '@cofre/platform/events/inbox'
import { insertDeliveries } from '../deliveries/delivery-store'
import type { Deps } from '../deps'
import { endpointsFor } from '../endpoints/endpoint-store'
import { deliveriesOf, type Notification } from '../notifications/envelope'
import { notificationOf, SOURCES, type Source } from '../notifications/sources'

const GROUP = 'notifier'
const TIMEOUT_MS = 10_000
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

type OnDelivery = (receiverIds: readonly number[]) => void

/** Makes the deliveries of each event for whoever asked to be told; `onDelivery` is called once they are stored. */
export async function consumeEvents(deps: Deps, onDelivery: OnDelivery): Promise<Subscription[]> {
  const subscriptions: Subscription[] = []
  for (const source of SOURCES) subscriptions.push(await consume(deps, source, onDelivery))
  return subscriptions
}

function consume(deps: Deps, source: Source, onDelivery: OnDelivery): Promise<Subscription> {
  observeLag(deps.eventLog, GROUP, source.topic)
  return deps.eventLog.subscribe(GROUP, source.topic, async (event) => {
    // Kinds of event that this consumer does not know are none of its business.
    if (!event.type.startsWith(`${source.resourceKind}.`)) return
    await handleEvent(event, TIMEOUT_MS, () => takeEvent(deps, source, event, onDelivery))
  })
}

async function takeEvent(deps: Deps, source: Source, event: LogEvent, onDelivery: OnDelivery): Promise<void> {
  const notification = readEvent(deps, source, event)
  const { sellerId, eventType, plain } = notification
  // Most sellers ask for nothing; for them the event is not even marked.
  if (!plain && (await endpointsFor(deps.pool, sellerId, eventType)).length === 0) return
  const receiverIds: number[] = []
  await handleOnce(deps.pool, GROUP, event.id, async (tx) => {
    const endpoints = await endpointsFor(tx, sellerId, eventType)
    const opened = await insertDeliveries(tx, deliveriesOf(notification, endpoints))
    receiverIds.push(...opened.map(({ receiverId }) => receiverId))
  })
  onDelivery(receiverIds)
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
