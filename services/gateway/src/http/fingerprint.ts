import { createHmac, hkdfSync } from 'node:crypto'
import { canonicalJson } from '@cofre/platform/json'

/** The key of the fingerprints, derived from the deployment's token key: known to the gateway alone. */
export function fingerprintKey(tokenKey: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', tokenKey, Buffer.alloc(0), 'idempotency fingerprint', 32))
}

/** HMAC-SHA256 of the canonical body, base64: two spellings of one JSON value are the same request. */
export function fingerprintOf(key: Uint8Array, body: unknown): string {
  return createHmac('sha256', key).update(canonicalJson(body)).digest('base64')
}
