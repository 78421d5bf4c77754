import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { canonicalJson } from '@cofre/platform/json'
import { LRUCache } from 'lru-cache'
import type { Json } from '../body/json'
import type { KeyRing } from '../keys/key-ring'

/**
 * Returns the HMAC-SHA256 of a masked body under a key derived for the seller (HKDF, RFC 5869). Equal requests to the
 * same seller have the same fingerprint. It covers the masked cards alone: one of the cards themselves would confirm
 * guesses. With the idempotency key of someone's request, 1,000 guesses would find a CVV.
 */
export function bodyFingerprint(keys: KeyRing, sellerId: number, masked: Json): Buffer {
  const key = sellerKey(keys.current('fingerprint').bytes, sellerId)
  return createHmac('sha256', key).update(canonicalJson(masked)).digest()
}

/** Deriving a key costs four times as much as using it, so the keys of recent sellers are kept. */
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
