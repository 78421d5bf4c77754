import type { Subscription } from '@cofre/platform/events/event-log'
import { chargeNotification } from '../notifications/charge-notification'
import type { Deps } from '../deps'
import { takeEvents } from './take-events'

export function consumeOrdersEvents(deps: Deps, onDelivery: () => void): Promise<Subscription> {
  const source = { topic: 'orders.v1', prefix: 'charge.', notificationOf: chargeNotification }
  return takeEvents(deps, source, onDelivery)
}
