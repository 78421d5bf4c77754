import { withTransaction } from '@cofre/platform/postgres/postgres'
import type { Endpoint, EndpointRequest } from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from '../deps'
import { closeSome } from '../endpoints/closing-store'
import { endpointMessage } from '../endpoints/endpoint'
import * as store from '../endpoints/endpoint-store'
import { beginClosing } from '../receivers/receiver-store'

/** Deletes an endpoint. A small backlog fails with the deletion; a sweeper closes the rest of a large one. */
export function deleteEndpoint({ pool }: Deps, { sellerId, endpointId }: EndpointRequest): Promise<Endpoint> {
  return withTransaction(pool, async (tx) => {
    const endpoint = await store.lockEndpoint(tx, sellerId, endpointId, 'UPDATE')
    for (const receiverId of await beginClosing(tx, endpoint)) await closeSome(tx, receiverId)
    await store.deleteEndpoint(tx, endpoint.id)
    return endpointMessage(endpoint)
  })
}
