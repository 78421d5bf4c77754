import type { JsonSchema } from './openapi-schemas'

const text = { type: 'string' }
/** Headers of answers, by name. */
export const HEADERS: Record<string, JsonSchema> = {
  'X-Request-Id': { description: 'The id of the request: yours when it was usable.', schema: text },
  Location: { description: 'Where the resource is read.', schema: { type: 'string', format: 'uri' } },
  Link: { description: 'Related URLs (RFC 8288).', schema: text },
  'Retry-After': { description: 'Seconds to wait before asking again.', schema: { type: 'integer' } },
  'Idempotency-Replayed': {
    description: 'true when this is the kept answer of an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
  'RateLimit-Policy': { description: 'Quota (q) within a window of seconds (w).', schema: text },
  RateLimit: { description: 'Requests left (r); seconds until the quota is whole again (t).', schema: text },
  'WWW-Authenticate': { description: 'RFC 6750.', schema: text },
}

/** Parameters that several operations share. */
export const PARAMETERS: Record<string, JsonSchema> = {
  SellerId: {
    name: 'sellerId',
    in: 'path',
    required: true,
    description: "The token's seller.",
    schema: { type: 'integer', minimum: 1 },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Makes the request safe to repeat, for 7 days. 1 to 255 visible ASCII characters.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Echoed on the answer and in every error.',
    schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[!-~]+$' },
  },
}
