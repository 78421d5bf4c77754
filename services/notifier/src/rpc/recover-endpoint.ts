import { withIdempotency } from '@cofre/platform/idempotency'
import { RecoverEndpointResponse, type RecoverEndpointRequest } from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from '../deps'
import { recoverFailed } from '../endpoint-delivery-store'
import { lockEndpoint } from '../endpoint-store'

export function recoverEndpoint(
  { pool }: Deps,
  { sellerId, endpointId, since }: RecoverEndpointRequest,
): Promise<RecoverEndpointResponse> {
  return withIdempotency(pool, sellerId, RecoverEndpointResponse, async (tx) => {
    const endpoint = await lockEndpoint(tx, sellerId, endpointId)
    return { deliveries: await recoverFailed(tx, endpoint, new Date(since)) }
  })
}
