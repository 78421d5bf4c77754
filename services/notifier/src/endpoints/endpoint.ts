import { EndpointStatus, type Endpoint as EndpointMessage } from '@cofre/proto/notifier/v1/notifier'

/** A URL that a seller registered. */
export type Endpoint = {
  id: number
  sellerId: number
  url: string
  /** Types, and prefixes such as `charge.*`. None: all. */
  events: string[]
  description: string
  /** Names of the headers that every attempt carries. */
  headerNames: string[]
  /** Their names and values as `sealHeaders` seals them. */
  headersSealed: Buffer | null
  /** Attempts a second. */
  rateLimit: number | null
  status: 'ENABLED' | 'DISABLED'
  createdAt: Date
}

export function endpointMessage({
  sellerId: _sellerId,
  headersSealed: _headersSealed,
  status,
  createdAt,
  rateLimit,
  ...same
}: Endpoint): EndpointMessage {
  return {
    ...same,
    status: EndpointStatus[status],
    createdAt: createdAt.getTime(),
    rateLimit: rateLimit ?? undefined,
  }
}
