import type { IdempotencyKey } from '@cofre/platform/grpc/call-context'

/** Not an HTTP method, so that no key that a seller sends can be one of ours. */
const METHOD = 'PAY'

/** A key of ours: the request is known by its path. */
export function ownKey(key: string, path: string): IdempotencyKey {
  return { key, method: METHOD, path, fingerprint: path }
}
