import { createHash } from 'node:crypto'
import type { Claimed } from '../deliveries/claim-store'
import { laneKey, type NewDelivery } from '../deliveries/delivery'
import type { Opened, Stored } from '../deliveries/delivery-store'
import type { Notified } from '../endpoints/endpoint-store'
import { deliveriesOf, type Notification } from '../notifications/envelope'
import { hostOf, receiverName } from '../receivers/receiver'
import type { Deliverer } from '../sweepers/deliver'
import { sendInLanes, type Sent } from './send-in-lanes'

/** The part of the deliverer that a consumer uses. */
export type Starter = Omit<Deliverer, 'stop' | 'wake'>

export type FirstAttempts = ReturnType<typeof openFirstAttempts>

/** A delivery that is not stored yet, and the receiver that asks for room for it. */
export type Planned = {
  delivery: NewDelivery
  /** The id of its lane. */
  lane: string
  endpoint: Notified | undefined
  asker: { sellerId: number; host: string; name: string }
}

type SentAhead = Sent & { planned: Planned; lease: string }

/** The deliveries of a notification. */
export function plan(notification: Notification, endpoints: readonly Notified[]): Planned[] {
  return deliveriesOf(notification, endpoints).map((delivery) => {
    const { sellerId, endpointId, url } = delivery
    return {
      delivery,
      lane: laneOf(delivery),
      endpoint: endpoints.find(({ id }) => id === endpointId),
      asker: { sellerId, host: hostOf(url), name: receiverName(endpointId, url) },
    }
  })
}

/** The lane's id, as the table of deliveries computes it. */
function laneOf(delivery: NewDelivery): string {
  return createHash('md5')
    .update(laneKey(delivery))
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

function keyOf({ webhookId, endpointId }: NewDelivery): string {
  return `${webhookId} ${endpointId}`
}

/**
 * First attempts that no deliverer claims. A receiver that answers at once is sent its messages before they are stored.
 * They are then stored with their outcome. Other attempts begin once their deliveries are stored, where there is room.
 */
export function openFirstAttempts(starter: Starter) {
  const admitted = new Map<string, Planned>()
  const sent = new Map<string, SentAhead>()
  /** Only the first delivery of a lane may be attempted. */
  const lanes = new Set<string>()
  const mayBegin = ({ endpoint }: Planned) =>
    // The deliverer pays for attempts at an endpoint with a rate limit when it claims them.
    endpoint?.status !== 'DISABLED' && (endpoint?.rateLimit ?? null) === null
  const leaseFor = (planned: Planned): string | undefined => {
    if (!mayBegin(planned) || lanes.has(planned.lane)) return undefined
    lanes.add(planned.lane)
    const lease = starter.admit(planned.asker)
    if (lease !== undefined) admitted.set(lease, planned)
    return lease
  }
  const row = (planned: Planned): Stored => {
    const ahead = sent.get(keyOf(planned.delivery))
    if (!ahead) return { ...planned.delivery, lease: leaseFor(planned) }
    const { lease, delivered } = ahead
    if (!delivered) lanes.add(planned.lane)
    // Stored as it was sent, even if its endpoint has another URL since.
    return { ...ahead.planned.delivery, lease, delivered: delivered?.attempt }
  }
  const releaseAll = () => {
    for (const { asker } of admitted.values()) starter.release(asker)
    for (const { sending, planned, delivered } of sent.values())
      if (!delivered) starter.giveUp(sending, planned.asker)
    admitted.clear()
    sent.clear()
  }
  const begin = (planned: Planned): SentAhead | undefined => {
    const lease = starter.admitAhead(planned.asker)
    if (lease === undefined) return undefined
    const sending = starter.send(claimedOf(planned, lease), planned.asker)
    const each: SentAhead = { planned, lease, sending, delivered: undefined }
    sent.set(keyOf(planned.delivery), each)
    return each
  }
  return {
    /** Whether it may be sent before it is stored, if nothing waits in its lane. */
    maySendAhead: (planned: Planned) =>
      mayBegin(planned) && !(planned.endpoint?.failing ?? false) && starter.isPrompt(planned.asker),
    /** Sends these in each lane's order as there is room, while `leftMs` allows. Returns how many were delivered. */
    sendAhead: (planned: readonly Planned[], leftMs: (delivered: number) => number) =>
      sendInLanes(planned, begin, ({ asker }) => starter.endAhead(asker), leftMs),
    /** The lanes of undelivered messages, where something waits once all is stored. */
    undelivered: (planned: readonly Planned[]) => {
      const isDelivered = ({ delivery }: Planned) => sent.get(keyOf(delivery))?.delivered !== undefined
      return new Set(planned.flatMap((each) => (isDelivered(each) ? [] : [each.lane])))
    },
    /** Deliveries as they are to be stored. */
    rowsOf: (planned: readonly Planned[]) => planned.map(row),
    /** Releases everything when nothing was stored. */
    giveUp: releaseAll,
    /** Goes on with deliveries stored with their lease, and has the deliverer look at those stored without one. */
    begin: (opened: readonly Opened[]) => {
      const aheadOf = new Map([...sent.values()].map((each) => [each.lease, each]))
      const waiting = new Set<number>()
      for (const { lane, lease, receiverId, id } of opened) {
        const ahead = aheadOf.get(lease ?? '')
        const planned = ahead?.planned ?? admitted.get(lease ?? '')
        if (lease === null || !planned) {
          waiting.add(receiverId)
          continue
        }
        const claimed = { ...claimedOf(planned, lease), lane, receiverId }
        claimed.delivery.id = id
        admitted.delete(lease)
        sent.delete(keyOf(planned.delivery))
        if (ahead?.delivered) starter.tellOf({ ...ahead.delivered, claimed })
        else starter.begin(claimed, planned.asker, ahead?.sending)
      }
      releaseAll()
      if (waiting.size > 0) starter.wakeFor([...waiting])
    },
  }
}

function claimedOf({ delivery, lane, endpoint: notified }: Planned, lease: string): Claimed {
  const endpoint = notified
    ? { gone: false, failing: notified.failing, headersSealed: notified.headersSealed }
    : null
  const head = { ...delivery, id: 0, attempts: 0, resentAfter: 0 }
  return { lane, lease, receiverId: 0, retried: false, delivery: head, endpoint }
}
