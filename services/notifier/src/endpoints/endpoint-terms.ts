import type { CreateEndpointRequest, ReplaceEndpointRequest } from '@cofre/proto/notifier/v1/notifier'
import { sealHeaders, type EndpointHeaders } from './endpoint-headers'
import type { EndpointTerms, SealedHeaders } from './endpoint-store'

/** The settings in a request, except its headers. */
export function termsOf({
  url,
  events,
  description,
  rateLimit,
}: CreateEndpointRequest | ReplaceEndpointRequest): Omit<EndpointTerms, keyof SealedHeaders> {
  return { url: new URL(url).href, events, description, rateLimit: rateLimit ?? null }
}

/** The headers of an endpoint as they are kept. */
export function sealedHeaders(key: Buffer, endpointId: number, headers: EndpointHeaders): SealedHeaders {
  return { headerNames: Object.keys(headers), headersSealed: sealHeaders(key, endpointId, headers) }
}
