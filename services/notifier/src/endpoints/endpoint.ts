import { EndpointStatus, type Endpoint as EndpointMessage } from '@cofre/proto/notifier/v1/notifier'

/** A URL that a seller registered. */
export type Endpoint = {
  id: number
  sellerId: number
  url: string
  /** None: all. */
  events: string[]
  status: 'ENABLED' | 'DISABLED'
  createdAt: Date
}

export function endpointMessage({ id, url, events, status, createdAt }: Endpoint): EndpointMessage {
  return { id, url, events, status: EndpointStatus[status], createdAt: createdAt.getTime() }
}
