import { createHmac } from 'node:crypto'
import type { IdempotencyKey } from '@cofre/platform/grpc/call-context'
import { canonicalJson } from '@cofre/platform/json'
import type { NamedKeys } from '@cofre/platform/named-keys'

/** The keys of the fingerprints, known to the gateway alone. The first is current; a stored fingerprint may use any. */
export type FingerprintKeys = readonly { id: string; key: Buffer }[]

export type Fingerprints = Required<Pick<IdempotencyKey, 'fingerprint' | 'otherFingerprints'>>

export function fingerprintKeys(file: NamedKeys): FingerprintKeys {
  return [...file.byId].map(([id, key]) => ({ id, key }))
}

/**
 * HMAC-SHA256 of the canonical body under each key, in base64 after the key's id. Two spellings of one JSON value are
 * the same request.
 */
export function fingerprintsOf(keys: FingerprintKeys, body: unknown): Fingerprints {
  const text = canonicalJson(body)
  const [fingerprint = '', ...otherFingerprints] = keys.map(({ id, key }) => {
    return `${id}:${createHmac('sha256', key).update(text).digest('base64')}`
  })
  return { fingerprint, otherFingerprints }
}
