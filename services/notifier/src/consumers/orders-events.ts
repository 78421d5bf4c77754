import { newCall, runCall } from '@cofre/platform/call-context'
import type { LogEvent, Subscription } from '@cofre/platform/event-log'
import { handleOnce } from '@cofre/platform/inbox'
import { chargeNotification } from '../charge-notification'
import { insertDeadEvent } from '../dead-event-store'
import type { NewDelivery } from '../delivery'
import { insertDelivery } from '../delivery-store'
import type { Deps } from '../deps'

const GROUP = 'notifier'
const TOPIC = 'orders.v1'
const TIMEOUT_MS = 10_000
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Makes a delivery of each event of a charge whose seller asked to be told; `onDelivery` is called once it is stored. */
export function consumeOrdersEvents(deps: Deps, onDelivery: () => void): Promise<Subscription> {
  return deps.eventLog.subscribe(GROUP, TOPIC, async (event) => {
    // Kinds of event that this consumer does not know are none of its business.
    if (!event.type.startsWith('charge.')) return
    const call = newCall({ timeoutMs: TIMEOUT_MS, traceparent: event.traceparent })
    await runCall(call, () => takeChargeEvent(deps, event, onDelivery))
  })
}

async function takeChargeEvent(deps: Deps, event: LogEvent, onDelivery: () => void): Promise<void> {
  let delivery: NewDelivery | undefined
  try {
    if (!UUID.test(event.id)) throw new Error('the event id is not a UUID')
    delivery = chargeNotification(event, deps.baseUrl)
  } catch (error) {
    await setAside(deps, event, error)
    return
  }
  if (!delivery) return
  const stored = delivery
  await handleOnce(deps.pool, GROUP, event.id, (tx) => insertDelivery(tx, stored))
  onDelivery()
}

/** An event that can't be read will never be: it must not hold up those behind it. */
async function setAside(deps: Deps, event: LogEvent, error: unknown): Promise<void> {
  // The message of a syntax error quotes what it could not read, so only the kind of the error is told.
  const reason = error instanceof Error ? error.name : 'unknown'
  await insertDeadEvent(deps.pool, TOPIC, event, reason)
  deps.log.error({ eventId: event.id, eventType: event.type, reason }, 'event cannot be read, set aside')
}
