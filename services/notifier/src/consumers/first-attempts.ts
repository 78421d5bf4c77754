import { laneKey, type NewDelivery } from '../deliveries/delivery'
import type { Opened } from '../deliveries/delivery-store'
import type { Told } from '../endpoints/endpoint-store'
import { deliveriesOf, type Notification } from '../notifications/envelope'
import { hostOf, receiverName } from '../receivers/receiver'
import type { Deliverer } from '../sweepers/deliver'

/** What a consumer needs of the deliverer. */
export type Starter = Pick<Deliverer, 'admit' | 'release' | 'begin' | 'wakeFor'>

export type FirstAttempts = ReturnType<typeof openFirstAttempts>

type Admitted = {
  delivery: NewDelivery
  asker: { sellerId: number; host: string }
  endpoint: Told | undefined
}

/** First attempts that begin as soon as their deliveries are stored, where there is room: nobody claims them first. */
export function openFirstAttempts(starter: Starter) {
  const admitted = new Map<string, Admitted>()
  /** Only the first delivery of a lane may be attempted. */
  const lanes = new Set<string>()
  const leaseFor = (delivery: NewDelivery, endpoint: Told | undefined): string | undefined => {
    const key = laneKey(delivery)
    // An endpoint with a rate limit is paid for by whoever claims.
    const waits = endpoint?.status === 'DISABLED' || (endpoint?.rateLimit ?? null) !== null
    if (waits || lanes.has(key)) return undefined
    lanes.add(key)
    const { sellerId, endpointId, url } = delivery
    const asker = { sellerId, host: hostOf(url) }
    const lease = starter.admit({ ...asker, name: receiverName(endpointId, url) })
    if (lease !== undefined) admitted.set(lease, { delivery, asker, endpoint })
    return lease
  }
  const releaseAll = () => {
    for (const { asker } of admitted.values()) starter.release(asker)
    admitted.clear()
  }
  return {
    /** The deliveries of a notification, with the leases of those that may begin. */
    admit: (notification: Notification, endpoints: readonly Told[]) =>
      deliveriesOf(notification, endpoints).map((delivery) => ({
        ...delivery,
        lease: leaseFor(
          delivery,
          endpoints.find(({ id }) => id === delivery.endpointId),
        ),
      })),
    /** Nothing was stored. */
    giveUp: releaseAll,
    /** Begins what was stored with its lease, and has the deliverer look at what was stored without. */
    begin: (opened: readonly Opened[]) => {
      const waiting = new Set<number>()
      for (const { lane, lease, receiverId, id } of opened) {
        const each = lease === null ? undefined : admitted.get(lease)
        if (lease === null || !each) {
          waiting.add(receiverId)
          continue
        }
        admitted.delete(lease)
        const { delivery, asker, endpoint: told } = each
        const endpoint = told
          ? { gone: false, failing: told.failing, headersSealed: told.headersSealed }
          : null
        const head = { ...delivery, id, attempts: 0, resentAfter: 0 }
        starter.begin({ lane, lease, receiverId, retried: false, delivery: head, endpoint }, asker)
      }
      releaseAll()
      if (waiting.size > 0) starter.wakeFor([...waiting])
    },
  }
}
