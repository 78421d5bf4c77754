import { createHmac, hkdfSync } from 'node:crypto'
import { canonicalJson, type JsonObject } from './json'
import type { KeyRing } from './key-ring'
import type { Pan } from './pan'

/**
 * The same for two bodies that ask the same of the same seller. `masked`: what the body shows of its cards. Taken of
 * the card itself, it would answer guesses: with the key of someone's request, 1,000 of them find a CVV.
 */
export function bodyFingerprint(keys: KeyRing, sellerId: number, masked: JsonObject): Buffer {
  return fingerprint(keys, `body:${sellerId}`, canonicalJson(masked))
}

/** The same for one card of one seller; another seller's is another, so that sellers can't be linked by it. */
export function cardFingerprint(keys: KeyRing, sellerId: number, number: Pan): Buffer {
  return fingerprint(keys, `card:${sellerId}`, number.reveal())
}

/** HMAC-SHA256 under a key derived (HKDF, RFC 5869) for one seller and one use. */
function fingerprint(keys: KeyRing, use: string, text: string): Buffer {
  const key = hkdfSync('sha256', keys.current('fingerprint').bytes, '', use, 32)
  return createHmac('sha256', Buffer.from(key)).update(text).digest()
}
