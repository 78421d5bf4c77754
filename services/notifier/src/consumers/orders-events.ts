import { UnreadableEvent, type LogEvent, type Subscription } from '@cofre/platform/event-log'
import { handleEvent, observeLag } from '@cofre/platform/handle-event'
import { handleOnce } from '@cofre/platform/inbox'
import { chargeNotification } from '../charge-notification'
import type { NewDelivery } from '../delivery'
import { insertDelivery } from '../delivery-store'
import type { Deps } from '../deps'

const GROUP = 'notifier'
const TOPIC = 'orders.v1'
const TIMEOUT_MS = 10_000
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Makes a delivery of each event of a charge whose seller asked to be told; `onDelivery` is called once it is stored. */
export function consumeOrdersEvents(deps: Deps, onDelivery: () => void): Promise<Subscription> {
  observeLag(deps.eventLog, GROUP, TOPIC)
  return deps.eventLog.subscribe(GROUP, TOPIC, async (event) => {
    // Kinds of event that this consumer does not know are none of its business.
    if (!event.type.startsWith('charge.')) return
    await handleEvent(event, TIMEOUT_MS, () => takeChargeEvent(deps, event, onDelivery))
  })
}

async function takeChargeEvent(deps: Deps, event: LogEvent, onDelivery: () => void): Promise<void> {
  const delivery = readCharge(deps, event)
  if (!delivery) return
  await handleOnce(deps.pool, GROUP, event.id, (tx) => insertDelivery(tx, delivery))
  onDelivery()
}

function readCharge({ baseUrl }: Deps, event: LogEvent): NewDelivery | undefined {
  if (!UUID.test(event.id)) throw new UnreadableEvent('the event id is not a UUID')
  try {
    return chargeNotification(event, baseUrl)
  } catch (error) {
    // The message of a syntax error quotes what it could not read, so only the kind of the error is told.
    throw new UnreadableEvent(error instanceof Error ? error.name : 'unknown')
  }
}
