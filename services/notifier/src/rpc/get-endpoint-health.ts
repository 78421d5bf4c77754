import type { EndpointHealthRequest, EndpointHealthResponse } from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from '../deps'
import { readHealth } from '../endpoints/health-store'

const ENDPOINTS_MAX = 100

export async function getEndpointHealth(
  { pool }: Deps,
  { sellerId, endpointIds }: EndpointHealthRequest,
): Promise<EndpointHealthResponse> {
  const endpoints = await readHealth(pool, sellerId, endpointIds.slice(0, ENDPOINTS_MAX))
  return {
    endpoints: endpoints.map(({ medianMs, ...same }) => ({ ...same, medianMs: medianMs ?? undefined })),
  }
}
