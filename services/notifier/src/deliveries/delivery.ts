import type { Outcome } from './sender'

/** An event for one receiver, as it is first written. */
export type NewDelivery = {
  webhookId: string
  /** `null`: to the notificationUrl given with the request. */
  endpointId: number | null
  sellerId: number
  eventType: string
  resourceKind: string
  resourceId: string
  resourceUrl: string
  /** The order of a resource's events. */
  sequence: number
  url: string
  /** The exact bytes to send. */
  body: string
  traceparent: string
}

/** Deliveries with one key share a lane. */
export function laneKey({ endpointId, url, resourceKind, resourceId }: NewDelivery): string {
  return `${endpointId ?? url} ${resourceKind} ${resourceId}`
}

export type Delivery = NewDelivery & {
  id: number
  attempts: number
  /** How many of the attempts were made before the seller asked to resend it. */
  resentAfter: number
}

export type Verdict =
  | { status: 'DELIVERED' }
  | { status: 'PENDING'; retryInMs: number }
  /** `abandons`: the deliveries that wait behind it in its lane fail with it. */
  | { status: 'FAILED'; abandons: boolean }

const JITTER = 0.2
const BUSY = [429, 503]
const GONE = 410

/**
 * The verdict on a delivery after attempt number `attempt` of its schedule, counted from 1. `scheduleSeconds` holds the
 * waits between attempts. `random` in [0, 1) spreads them: receivers that failed together are not called together.
 */
export function judge(
  outcome: Outcome,
  attempt: number,
  scheduleSeconds: readonly number[],
  random: number,
): Verdict {
  if ('status' in outcome) {
    if (outcome.status >= 200 && outcome.status < 300) return { status: 'DELIVERED' }
    if (outcome.status === GONE) return { status: 'FAILED', abandons: true }
  }
  const wait = scheduleSeconds[attempt - 1]
  if (wait === undefined) return { status: 'FAILED', abandons: false }
  const spread = wait * (1 - JITTER + 2 * JITTER * random)
  const longest = scheduleSeconds[attempt] ?? wait
  return {
    status: 'PENDING',
    retryInMs: Math.round(1_000 * Math.max(spread, Math.min(asked(outcome), longest))),
  }
}

/** The wait that a busy receiver asks for, seconds. */
function asked(outcome: Outcome): number {
  return 'status' in outcome && BUSY.includes(outcome.status) ? (outcome.retryAfterSeconds ?? 0) : 0
}
