import { DomainError } from '@cofre/platform/errors'
import type { ListEndpointsRequest, ListEndpointsResponse } from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from '../deps'
import { endpointMessage } from '../endpoints/endpoint'
import { findEndpoints } from '../endpoints/endpoint-store'

const SIZE_MAX = 100

export async function listEndpoints(
  { pool }: Deps,
  { sellerId, page, size, after }: ListEndpointsRequest,
): Promise<ListEndpointsResponse> {
  if (size < 1 || size > SIZE_MAX || page < 0) {
    throw new DomainError('invalid_argument', 'VALIDATION_FAILED', `A page has 1 to ${SIZE_MAX} entries.`)
  }
  const { entries, total, more } = await findEndpoints(pool, sellerId, { page, size, after })
  return { endpoints: entries.map(endpointMessage), total, more }
}
