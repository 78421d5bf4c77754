import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { Endpoint, type EndpointRequest } from '@cofre/proto/notifier/v1/notifier'
import { rejoinLanes } from '../deliveries/lane-store'
import type { Deps } from '../deps'
import { endpointMessage } from '../endpoints/endpoint'
import * as store from '../endpoints/endpoint-store'
import { openReceiver } from '../receivers/receiver-store'

export function enableEndpoint(
  { pool }: Deps,
  { sellerId, endpointId }: EndpointRequest,
): Promise<Replayable<Endpoint>> {
  return withIdempotency(pool, sellerId, Endpoint, async (tx) => {
    const endpoint = await store.lockEndpoint(tx, sellerId, endpointId)
    const enabled = await store.enableEndpoint(tx, endpoint.id)
    await openReceiver(tx, endpoint.id)
    await rejoinLanes(tx, enabled)
    return endpointMessage(enabled)
  })
}
