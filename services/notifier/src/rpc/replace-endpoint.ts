import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { Endpoint, type ReplaceEndpointRequest } from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from '../deps'
import { endpointMessage } from '../endpoints/endpoint'
import { lockEndpoint, updateEndpoint } from '../endpoints/endpoint-store'
import { moveReceivers } from '../receivers/receiver-store'

export function replaceEndpoint(
  { pool }: Deps,
  { sellerId, endpointId, url, events }: ReplaceEndpointRequest,
): Promise<Replayable<Endpoint>> {
  return withIdempotency(pool, sellerId, Endpoint, async (tx) => {
    const { id, status } = await lockEndpoint(tx, sellerId, endpointId)
    const replaced = await updateEndpoint(tx, { id, status, url: new URL(url).href, events })
    await moveReceivers(tx, replaced)
    return endpointMessage(replaced)
  })
}
