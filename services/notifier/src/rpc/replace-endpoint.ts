import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { Endpoint, type ReplaceEndpointRequest } from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from '../deps'
import { redirectPending } from '../endpoints/endpoint-delivery-store'
import { endpointMessage } from '../endpoints/endpoint'
import { lockEndpoint, updateEndpoint } from '../endpoints/endpoint-store'

export function replaceEndpoint(
  { pool }: Deps,
  { sellerId, endpointId, url, events }: ReplaceEndpointRequest,
): Promise<Replayable<Endpoint>> {
  return withIdempotency(pool, sellerId, Endpoint, async (tx) => {
    const { id, status } = await lockEndpoint(tx, sellerId, endpointId)
    const replaced = await updateEndpoint(tx, { id, status, url: new URL(url).href, events })
    await redirectPending(tx, id, replaced.url)
    return endpointMessage(replaced)
  })
}
