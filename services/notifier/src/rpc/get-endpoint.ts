import type { Endpoint, EndpointRequest } from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from '../deps'
import { endpointMessage } from '../endpoints/endpoint'
import { readEndpoint } from '../endpoints/endpoint-store'

export async function getEndpoint(
  { pool }: Deps,
  { sellerId, endpointId }: EndpointRequest,
): Promise<Endpoint> {
  return endpointMessage(await readEndpoint(pool, sellerId, endpointId))
}
