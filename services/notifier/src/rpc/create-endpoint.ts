import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { EndpointWithSecret, type CreateEndpointRequest } from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from '../deps'
import { endpointMessage } from '../endpoints/endpoint'
import { insertEndpoint } from '../endpoints/endpoint-store'
import { keptSealed } from '../secrets/kept-sealed'
import { rotateSecret } from '../secrets/secret-store'

export function createEndpoint(
  { pool, secretKey }: Deps,
  { sellerId, url, events }: CreateEndpointRequest,
): Promise<Replayable<EndpointWithSecret>> {
  const kept = keptSealed(EndpointWithSecret, secretKey, `new endpoint of seller ${sellerId}`)
  return withIdempotency(pool, sellerId, kept, async (tx) => {
    const endpoint = await insertEndpoint(tx, { sellerId, url: new URL(url).href, events })
    const secret = await rotateSecret(tx, secretKey, { endpointId: endpoint.id })
    return { endpoint: endpointMessage(endpoint), secret }
  })
}
