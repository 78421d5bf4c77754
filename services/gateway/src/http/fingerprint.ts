import { createHmac, hkdfSync } from 'node:crypto'

/** The key of the fingerprints, derived from the deployment's token key: known to the gateway alone. */
export function fingerprintKey(tokenKey: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', tokenKey, Buffer.alloc(0), 'idempotency fingerprint', 32))
}

/** HMAC-SHA256 of the canonical body, base64: two spellings of one JSON value are the same request. */
export function fingerprintOf(key: Uint8Array, body: unknown): string {
  return createHmac('sha256', key).update(canonical(body)).digest('base64')
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${entries.map(([name, held]) => `${JSON.stringify(name)}:${canonical(held)}`).join(',')}}`
}
