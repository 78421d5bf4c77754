import { createHmac, hkdfSync } from 'node:crypto'
import { canonicalJson, type JsonObject } from '../body/json'
import type { KeyRing } from '../keys/key-ring'

/**
 * HMAC-SHA256 under a key derived (HKDF, RFC 5869) for one seller: the same for two bodies that ask the same of the
 * same seller. `masked`: what the body shows of its cards. Taken of the card itself, it would answer guesses: with
 * the key of someone's request, 1,000 of them find a CVV.
 */
export function bodyFingerprint(keys: KeyRing, sellerId: number, masked: JsonObject): Buffer {
  const key = hkdfSync('sha256', keys.current('fingerprint').bytes, '', `body:${sellerId}`, 32)
  return createHmac('sha256', Buffer.from(key)).update(canonicalJson(masked)).digest()
}
