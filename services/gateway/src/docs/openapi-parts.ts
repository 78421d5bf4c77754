import type { JsonSchema } from './openapi-schemas'

const text = { type: 'string' }
/** Headers of answers, by name. */
export const HEADERS: Record<string, JsonSchema> = {
  'X-Request-Id': {
    description: 'The id of the request: the X-Request-Id you sent if it was valid, else a new one.',
    schema: text,
  },
  Location: { description: 'The URL of the resource.', schema: { type: 'string', format: 'uri' } },
  'Content-ID': { description: 'The id of the resource.', schema: { type: 'integer', format: 'int64' } },
  'Content-Disposition': { description: 'The name of the file.', schema: text },
  'Content-Language': { description: 'The language of the answer.', schema: text },
  ETag: {
    description: 'Names these bytes. Send it as `If-None-Match`, and only a changed document comes.',
    schema: text,
  },
  Link: { description: 'Related URLs (RFC 8288).', schema: text },
  'Retry-After': {
    description: 'Seconds to wait before you try again.',
    schema: { type: 'integer', format: 'int64' },
  },
  'Idempotency-Replayed': {
    description: 'true when this is the kept answer of an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
  'RateLimit-Policy': { description: 'Quota (q) within a window of seconds (w).', schema: text },
  RateLimit: {
    description: 'Remaining requests (r); seconds until the full quota is available again (t).',
    schema: text,
  },
  'WWW-Authenticate': { description: 'RFC 6750.', schema: text },
}

/** Parameters that several operations share. */
export const PARAMETERS: Record<string, JsonSchema> = {
  SellerId: {
    name: 'sellerId',
    in: 'path',
    required: true,
    description: 'The seller that the access token belongs to.',
    schema: { type: 'integer', format: 'int64', minimum: 1 },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes the request safe to repeat for 7 days. A key belongs to one seller, method and path, ids included; the paths of one operation count as one. 1 to 255 visible ASCII characters. A key that looks like a card number is refused.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  AcceptLanguage: {
    name: 'Accept-Language',
    in: 'header',
    description: 'The languages that you prefer. The answer is in `en`, the default, or in `pt-BR`.',
    schema: { type: 'string' },
    example: 'pt-BR',
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Returned with the answer and in every error.',
    schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[!-~]+$' },
  },
}

/** References to headers of answers. */
export function refsOf(names: readonly string[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
