import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { Endpoint, type ReplaceEndpointRequest } from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from '../deps'
import { endpointMessage } from '../endpoints/endpoint'
import * as store from '../endpoints/endpoint-store'
import { sealedHeaders, termsOf } from '../endpoints/endpoint-terms'
import { moveReceivers } from '../receivers/receiver-store'

export function replaceEndpoint(
  { pool, secretKey }: Deps,
  request: ReplaceEndpointRequest,
): Promise<Replayable<Endpoint>> {
  const { sellerId, endpointId, headers } = request
  return withIdempotency(pool, sellerId, Endpoint, async (tx) => {
    const { id, ...kept } = await store.lockEndpoint(tx, sellerId, endpointId)
    const { headerNames, headersSealed } = headers ? sealedHeaders(secretKey, id, headers.values) : kept
    const terms = { ...termsOf(request), headerNames, headersSealed }
    const replaced = await store.replaceEndpoint(tx, id, terms)
    await moveReceivers(tx, replaced)
    return endpointMessage(replaced)
  })
}
