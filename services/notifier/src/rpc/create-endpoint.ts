import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { EndpointWithSecret, type CreateEndpointRequest } from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from '../deps'
import { endpointMessage } from '../endpoints/endpoint'
import { insertEndpoint, replaceEndpoint } from '../endpoints/endpoint-store'
import { sealedHeaders, termsOf } from '../endpoints/endpoint-terms'
import { keptSealed } from '../secrets/kept-sealed'
import { rotateSecret } from '../secrets/secret-store'

export function createEndpoint(
  { pool, secretKey }: Deps,
  request: CreateEndpointRequest,
): Promise<Replayable<EndpointWithSecret>> {
  const { sellerId } = request
  const kept = keptSealed(EndpointWithSecret, secretKey, `new endpoint of seller ${sellerId}`)
  return withIdempotency(pool, sellerId, kept, async (tx) => {
    const terms = termsOf(request)
    const inserted = await insertEndpoint(tx, { sellerId, ...terms })
    const headers = sealedHeaders(secretKey, inserted.id, request.headers?.values ?? {})
    const endpoint = await replaceEndpoint(tx, inserted.id, { ...terms, ...headers })
    const secret = await rotateSecret(tx, secretKey, { endpointId: endpoint.id })
    return { endpoint: endpointMessage(endpoint), secret }
  })
}
