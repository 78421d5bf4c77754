import { withTransaction } from '@cofre/platform/postgres/postgres'
import type { Endpoint, EndpointRequest } from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from '../deps'
import { failPending } from '../endpoints/endpoint-delivery-store'
import { endpointMessage } from '../endpoints/endpoint'
import * as store from '../endpoints/endpoint-store'

export function deleteEndpoint({ pool }: Deps, { sellerId, endpointId }: EndpointRequest): Promise<Endpoint> {
  return withTransaction(pool, async (tx) => {
    const endpoint = await store.lockEndpoint(tx, sellerId, endpointId)
    await failPending(tx, endpoint.id)
    await store.deleteEndpoint(tx, endpoint.id)
    return endpointMessage(endpoint)
  })
}
