import type { History, HistoryEntry } from '@cofre/platform/history/history'
import type { Logger } from '@cofre/platform/telemetry/log'
import { within } from '@cofre/platform/within'
import type { Delivery } from './delivery'
import type { Attempt } from './verdict-store'

// More attempts than a delivery has after it is resent a few times.
const ATTEMPTS_MAX = 200
const ANSWER_MS = 3_000

/** The history entry of an attempt. Its number is part of the id, so an attempt that is written twice is one entry. */
export function attemptEntry(
  { id, sellerId, eventType }: Pick<Delivery, 'id' | 'sellerId' | 'eventType'>,
  number: number,
  { at, outcome }: Attempt,
): HistoryEntry {
  const answered = 'status' in outcome
  return {
    id: `delivery-${id}-attempt-${number}`,
    at: at.getTime(),
    sellerId,
    subject: subjectOf(id),
    facts: answered ? { eventType, status: outcome.status } : { eventType, error: outcome.error },
    // The rest is kept with the delivery; a receiver's URL stays out, since it may hold a secret.
    detail: JSON.stringify({ number, response: answered ? (outcome.response ?? '') : null }),
  }
}

/**
 * The receiver's response to each attempt, by the attempt's number. Some may be missing: the newest may not be written
 * yet, and an unavailable store must not hide the attempts themselves.
 */
export async function responsesTo(
  { history, log }: { history: History; log: Logger },
  sellerId: number,
  deliveryId: number,
): Promise<Map<number, string>> {
  const query = { sellerId, subject: subjectOf(deliveryId), page: 0, size: ATTEMPTS_MAX }
  try {
    const { entries } = await within(ANSWER_MS, history.find(query), 'the history did not answer in time')
    return new Map(entries.flatMap(({ detail }) => responseIn(detail)))
  } catch (err) {
    log.warn({ err, deliveryId }, 'attempts are shown without their answers')
    return new Map()
  }
}

function responseIn(detail: string): [number, string][] {
  const { number, response } = JSON.parse(detail) as { number: number; response: string | null }
  return response === null ? [] : [[number, response]]
}

function subjectOf(deliveryId: number): string {
  return `delivery-${deliveryId}`
}
