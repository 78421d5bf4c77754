import { createHmac, hkdfSync } from 'node:crypto'
import type { IdempotencyKey } from '@cofre/platform/grpc/call-context'
import { canonicalJson } from '@cofre/platform/json'
import type { NamedKeys } from '@cofre/platform/named-keys'

/** The keys of the fingerprints, known to the gateway alone. The first is current; a stored fingerprint may use any. */
export type FingerprintKeys = readonly { id: string; key: Buffer }[]

export type Fingerprints = Required<Pick<IdempotencyKey, 'fingerprint' | 'otherFingerprints'>>

/** Names the key derived from the token key, the only key without a file. Its fingerprints have no key id. */
const DERIVED = 'token-key'

/** Returns the keys of the file, then the derived key unless the file has it: then the token key may be replaced. */
export function fingerprintKeys(file: NamedKeys | undefined, tokenKey: Uint8Array): FingerprintKeys {
  const keys = [...(file?.byId ?? [])].map(([id, key]) => ({ id, key }))
  return file?.byId.has(DERIVED) ? keys : [...keys, { id: DERIVED, key: derivedKey(tokenKey) }]
}

function derivedKey(tokenKey: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', tokenKey, Buffer.alloc(0), 'idempotency fingerprint', 32))
}

/**
 * HMAC-SHA256 of the canonical body under each key, in base64 after the key's id. Two spellings of one JSON value are
 * the same request.
 */
export function fingerprintsOf(keys: FingerprintKeys, body: unknown): Fingerprints {
  const text = canonicalJson(body)
  const [fingerprint = '', ...otherFingerprints] = keys.map(({ id, key }) => {
    const mac = createHmac('sha256', key).update(text).digest('base64')
    return id === DERIVED ? mac : `${id}:${mac}`
  })
  return { fingerprint, otherFingerprints }
}
