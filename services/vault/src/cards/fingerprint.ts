import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { canonicalJson } from '@cofre/platform/json'
import { LRUCache } from 'lru-cache'
import type { JsonObject } from '../body/json'
import type { KeyRing } from '../keys/key-ring'

/**
 * HMAC-SHA256 under a key derived (HKDF, RFC 5869) for one seller: the same for two bodies that ask the same of the
 * same seller. `masked`: what the body shows of its cards. Taken of the card itself, it would answer guesses: with
 * the key of someone's request, 1,000 of them find a CVV.
 */
export function bodyFingerprint(keys: KeyRing, sellerId: number, masked: JsonObject): Buffer {
  const key = sellerKey(keys.current('fingerprint').bytes, sellerId)
  return createHmac('sha256', key).update(canonicalJson(masked)).digest()
}

/** Deriving a key costs four times as much as using it, so the keys of the sellers who ask often are kept. */
const SELLERS_KEPT = 10_000
const kept = new WeakMap<Uint8Array, LRUCache<number, KeyObject>>()

function sellerKey(from: Uint8Array, sellerId: number): KeyObject {
  const ofSellers = kept.get(from) ?? new LRUCache<number, KeyObject>({ max: SELLERS_KEPT })
  kept.set(from, ofSellers)
  const known = ofSellers.get(sellerId)
  if (known) return known
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', from, '', `body:${sellerId}`, 32)))
  ofSellers.set(sellerId, key)
  return key
}
