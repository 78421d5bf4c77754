import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { SigningSecret, type EndpointRequest } from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from '../deps'
import { lockEndpoint } from '../endpoints/endpoint-store'
import { keptSealed } from '../secrets/kept-sealed'
import { rotateSecret } from '../secrets/secret-store'

export function rotateEndpointSecret(
  { pool, secretKey }: Deps,
  { sellerId, endpointId }: EndpointRequest,
): Promise<Replayable<SigningSecret>> {
  const kept = keptSealed(SigningSecret, secretKey, `endpoint ${endpointId} of seller ${sellerId}`)
  return withIdempotency(pool, sellerId, kept, async (tx) => {
    const { id } = await lockEndpoint(tx, sellerId, endpointId)
    return { secret: await rotateSecret(tx, secretKey, { endpointId: id }) }
  })
}
