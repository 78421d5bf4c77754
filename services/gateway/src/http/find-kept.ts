import { DomainError, type FieldError } from '@cofre/platform/errors'
import { currentCall, runCall, type IdempotencyKey } from '@cofre/platform/grpc/call-context'
import { callRpc } from '@cofre/platform/grpc/client'
import { RequestState } from '@cofre/proto/idempotency/v1/idempotency'
import type { Deps } from '../deps'
import type { Route } from './route'

/** Faults that time causes: a seal grows stale, a card expires. */
const OF_TIME = new Set(['UNDECRYPTABLE', 'STALE', 'EXPIRED'])

type Read = { faults: readonly FieldError[]; idempotency: IdempotencyKey | undefined }

/**
 * Returns the encoded answer kept for the request that this one repeats. Undefined when it repeats none, or has faults
 * that time alone can't cause. A request without faults skips this: the service that does the work finds its repeat.
 */
export async function findKept(
  { services }: Deps,
  { keptBy }: Route,
  sellerId: number,
  { faults, idempotency }: Read,
): Promise<Buffer | undefined> {
  const call = currentCall()
  const ofTime = faults.length > 0 && faults.every(({ code }) => OF_TIME.has(code))
  if (!ofTime || !call || !keptBy || !idempotency) return undefined
  const client = services.idempotency[keptBy]
  const find = () => callRpc(client, client.findRequest, { sellerId, key: idempotency.key })
  const found = await runCall({ ...call, idempotency }, find).catch((error: unknown) => {
    if (error instanceof DomainError && error.kind === 'not_found') return undefined
    throw error
  })
  if (!found?.isRepeated) return undefined
  if (found.state === RequestState.DONE) return found.response
  const message = 'The first request with this key is still running.'
  throw new DomainError('conflict', 'IDEMPOTENCY_KEY_IN_USE', message, { retryAfterSeconds: 1 })
}
