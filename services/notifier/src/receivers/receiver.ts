import { plainHost } from '@cofre/platform/outbound/outbound-guard'

/** Whom attempts go to: an endpoint, or a host that a seller's requests name. */
export type Receiver = {
  id: number
  sellerId: number
  /** Without a port. */
  host: string
}

/** The host of a URL as receivers share it: whatever its port. */
export function hostOf(url: string): string {
  return plainHost(new URL(url).hostname)
}

/** What a receiver is called among those of its seller. */
export function receiverName(endpointId: number | null, url: string): string {
  return endpointId === null ? hostOf(url) : `endpoint ${endpointId}`
}

/** The receiver of what a seller asked to be sent to an endpoint that is disabled. */
export function nameByHand(endpointId: number): string {
  return `endpoint ${endpointId} by hand`
}
