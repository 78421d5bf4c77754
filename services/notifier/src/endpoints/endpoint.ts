import { eventTypesOf } from '@cofre/api/events'
import { EndpointStatus, type Endpoint as EndpointMessage } from '@cofre/proto/notifier/v1/notifier'

/** A URL that a seller registered. */
export type Endpoint = {
  id: number
  sellerId: number
  url: string
  /** As `keptEvents` makes them. None: all. */
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
  events,
  status,
  createdAt,
  rateLimit,
  ...same
}: Endpoint): EndpointMessage {
  return {
    ...same,
    events: shownEvents(events),
    status: EndpointStatus[status],
    createdAt: createdAt.getTime(),
    rateLimit: rateLimit ?? undefined,
  }
}

/** Filters as kept: beside `charge.*` stand the types that it means, which replicas of the previous version find. */
export function keptEvents(events: readonly string[]): string[] {
  const prefixes = events.filter((filter) => filter.endsWith('.*'))
  return [...new Set([...events, ...eventTypesOf(prefixes)])]
}

/** Filters as the seller gave them. */
export function shownEvents(kept: readonly string[]): string[] {
  return kept.filter((event) => event.endsWith('.*') || !kept.includes(`${event.split('.')[0]}.*`))
}
