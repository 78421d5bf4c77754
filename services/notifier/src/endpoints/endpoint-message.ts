import { EndpointStatus, type Endpoint } from '@cofre/proto/notifier/v1/notifier'
import type { Endpoint as Kept } from './endpoint-store'

export function endpointMessage({ id, url, events, status, createdAt }: Kept): Endpoint {
  return { id, url, events, status: EndpointStatus[status], createdAt: createdAt.getTime() }
}
