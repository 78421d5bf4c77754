import { Metadata } from '@grpc/grpc-js'
import { databaseNow, onDatabaseClock } from '../service/database-clock'
import { CALLER } from './allow-callers'
import { newRequestId, newTraceparent, type Call, type IdempotencyKey } from './call-context'

const FALLBACK_DEADLINE_MS = 30_000

/** The context of a call as gRPC metadata. */
export function writeCall(call: Call): Metadata {
  const metadata = new Metadata()
  metadata.set('x-request-id', call.requestId)
  metadata.set('traceparent', call.traceparent)
  if (call.idempotency) {
    metadata.set('idempotency-bin', Buffer.from(JSON.stringify(call.idempotency)))
  }
  return metadata
}

/** The header that marks a kept answer, for the caller of a repeatable RPC. */
export function replayedHeader(): Metadata {
  const metadata = new Metadata()
  metadata.set('idempotency-replayed', 'true')
  return metadata
}

export function readReplayed(metadata: Metadata): boolean {
  return metadata.get('idempotency-replayed')[0] === 'true'
}

export function readCall(metadata: Metadata, deadline: Date | number): Call {
  const until = Number(deadline)
  const idempotency = metadata.get('idempotency-bin')[0]
  const caller = metadata.get(CALLER)[0]
  return {
    requestId: String(metadata.get('x-request-id')[0] ?? newRequestId()),
    traceparent: String(metadata.get('traceparent')[0] ?? newTraceparent()),
    deadline: Number.isFinite(until) ? onDatabaseClock(until) : databaseNow() + FALLBACK_DEADLINE_MS,
    dispatch: { begun: false },
    ...(caller === undefined ? {} : { caller: String(caller) }),
    ...(idempotency instanceof Buffer
      ? { idempotency: JSON.parse(idempotency.toString()) as IdempotencyKey }
      : {}),
  }
}
