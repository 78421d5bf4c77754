import { databaseNow } from '@cofre/platform/service/database-clock'
import { DomainError } from '@cofre/platform/errors'
import { deadlineOf } from '@cofre/platform/operation/terms'
import type { ReadListenerRequest, ReadListenerResponse } from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from '../deps'
import { readEvents, secretOf, useListener } from '../listeners/listener-store'
import { signedHeaders } from '../secrets/signature'

const SIZE_MAX = 100
const WAIT_MAX_MS = 20_000
/** Part of the caller's time that is kept for the answer. */
const ANSWER_MS = 2_000

export async function readListener(
  { pool, secretKey, waiting }: Deps,
  { sellerId, listenerId, after, size, waitMs }: ReadListenerRequest,
): Promise<ReadListenerResponse> {
  if (size < 1 || size > SIZE_MAX || after < 0 || waitMs < 0 || waitMs > WAIT_MAX_MS) {
    throw new DomainError('invalid_argument', 'VALIDATION_FAILED', 'The request is not valid.')
  }
  const listener = await useListener(pool, sellerId, listenerId)
  const secret = secretOf(secretKey, listener)
  const endsAt = deadlineOf(waitMs, databaseNow(), ANSWER_MS)
  const events = await waiting.until(sellerId, endsAt, () => readEvents(pool, listenerId, after, size))
  const at = new Date(databaseNow())
  return {
    events: events.map((event) => ({
      ...event,
      createdAt: event.createdAt.getTime(),
      headers: signedHeaders(event, [secret], at),
    })),
  }
}
