import { createHmac, hkdfSync } from 'node:crypto'
import { DomainError } from '@cofre/platform/errors'

/** Deeper than any body of ours. */
const MAX_DEPTH = 32

/** The key of the fingerprints, derived from the deployment's token key: known to the gateway alone. */
export function fingerprintKey(tokenKey: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', tokenKey, Buffer.alloc(0), 'idempotency fingerprint', 32))
}

/** HMAC-SHA256 of the canonical body, base64: two spellings of one JSON value are the same request. */
export function fingerprintOf(key: Uint8Array, body: unknown): string {
  return createHmac('sha256', key).update(canonical(body, 0)).digest('base64')
}

function canonical(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) {
    throw new DomainError('invalid_argument', 'MALFORMED_JSON', `A body nests at most ${MAX_DEPTH} deep.`)
  }
  if (Array.isArray(value)) return `[${value.map((entry) => canonical(entry, depth + 1)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${entries.map(([name, held]) => `${JSON.stringify(name)}:${canonical(held, depth + 1)}`).join(',')}}`
}
