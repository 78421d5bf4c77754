import type { Subscription } from '@cofre/platform/events/event-log'
import type { Deps } from '../deps'
import { networkTokenNotification } from '../notifications/network-token-notification'
import { takeEvents } from './take-events'

export function consumeNetworkTokenEvents(deps: Deps, onDelivery: () => void): Promise<Subscription> {
  const notificationOf = networkTokenNotification
  return takeEvents(deps, { topic: 'network-token.v1', prefix: 'network_token.', notificationOf }, onDelivery)
}
