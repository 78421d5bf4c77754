import { openSecret, sealSecret } from '@cofre/platform/secret-box'

/** Headers that every attempt at an endpoint carries: values by names in lower case. */
export type EndpointHeaders = Record<string, string>

/** Seals headers as signing secrets are sealed, since their values may be the seller's passwords. */
export function sealHeaders(key: Buffer, endpointId: number, headers: EndpointHeaders): Buffer | null {
  if (Object.keys(headers).length === 0) return null
  return sealSecret(key, JSON.stringify(headers), contextOf(endpointId))
}

export function openHeaders(key: Buffer, endpointId: number, sealed: Buffer | null): EndpointHeaders {
  if (sealed === null) return {}
  return JSON.parse(openSecret(key, sealed, contextOf(endpointId)).toString()) as EndpointHeaders
}

function contextOf(endpointId: number): string {
  return `headers of endpoint ${endpointId}`
}
