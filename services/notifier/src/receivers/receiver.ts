import { plainHost } from '@cofre/platform/outbound/outbound-guard'

/** A target of attempts: an endpoint, or a host that a seller's requests name. */
export type Receiver = {
  id: number
  sellerId: number
  /** Without a port. */
  host: string
}

/** The host of a URL without its port, as receivers have it. */
export function hostOf(url: string): string {
  return plainHost(new URL(url).hostname)
}

/** The name of a receiver among those of its seller. */
export function receiverName(endpointId: number | null, url: string): string {
  return endpointId === null ? hostOf(url) : `endpoint ${endpointId}`
}

/** The name of the receiver for deliveries that a seller requests while their endpoint is disabled. */
export function nameByHand(endpointId: number): string {
  return `endpoint ${endpointId} by hand`
}
