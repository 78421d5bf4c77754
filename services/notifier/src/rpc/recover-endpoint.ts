import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { RecoverEndpointResponse, type RecoverEndpointRequest } from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from '../deps'
import { lockEndpoint } from '../endpoints/endpoint-store'
import { askRecovery } from '../endpoints/recovery-store'

export function recoverEndpoint(
  { pool }: Deps,
  { sellerId, endpointId, since }: RecoverEndpointRequest,
): Promise<Replayable<RecoverEndpointResponse>> {
  return withIdempotency(pool, sellerId, RecoverEndpointResponse, async (tx) => {
    const endpoint = await lockEndpoint(tx, sellerId, endpointId)
    return { deliveries: await askRecovery(tx, endpoint, new Date(since)) }
  })
}
