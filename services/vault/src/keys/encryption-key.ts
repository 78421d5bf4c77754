import { createHash, createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { newRsaJwk } from '@cofre/platform/private-jwk'
import { compactDecrypt, decodeProtectedHeader } from 'jose'
import type { Decrypt } from '../body/encrypted-fields'
import type { DataKey } from './data-key'
import type { KeyRing } from './key-ring'

const ALGORITHM = 'RSA-OAEP-256'
const MODULUS_BITS = 3072
/** The least time between two reloads of the keys that seals to unknown keys cause. */
const RELOAD_AT_MOST_EVERY_MS = 100

/** The key pair to whose public half browsers encrypt cards. */
export type EncryptionKey = {
  /** RFC 7517, with kid, use and alg, as JSON. */
  readonly publicJwk: string
  /** Opens a compact JWE sealed to us; throws when it is none, or uses any other algorithm. */
  decrypt: Decrypt
}

type PublicPair = { kty: string; n: string; e: string; kid: string; key: KeyObject }

/**
 * Uses the current pair of the ring and those that it replaced, which still open their seals. When a seal's `kid` names
 * a known key, only that key is tried; otherwise all are. When none opens it, another replica may have made its key, so
 * the ring is read again.
 */
export function openEncryptionKey(keys: KeyRing): EncryptionKey {
  const opened = new Map<string, PublicPair>()
  const pairOf = ({ id, bytes }: DataKey): PublicPair => {
    const pair = opened.get(id) ?? openPair(bytes)
    opened.set(id, pair)
    return pair
  }
  const pairs = () => {
    const all = [keys.current('jwe'), ...keys.retired('jwe')]
    for (const id of opened.keys()) if (!all.some((key) => key.id === id)) opened.delete(id)
    return all.map(pairOf)
  }
  let reloadedAt = -Infinity
  let reloading = Promise.resolve()
  const reload = () => {
    if (performance.now() - reloadedAt >= RELOAD_AT_MOST_EVERY_MS) {
      reloadedAt = performance.now()
      reloading = keys.reload()
    }
    return reloading
  }
  return {
    get publicJwk() {
      const { kty, n, e, kid } = pairOf(keys.current('jwe'))
      return JSON.stringify({ kty, n, e, kid, use: 'enc', alg: ALGORITHM })
    },
    decrypt: async (jwe) => {
      const named = decodeProtectedHeader(jwe)['kid']
      const known = pairs()
      const ofName = known.filter(({ kid }) => kid === named)
      try {
        return await openWithOneOf(ofName.length > 0 ? ofName : known, jwe)
      } catch (error) {
        if (ofName.length > 0) throw error
        await reload()
        const fresh = pairs().filter((pair) => !known.includes(pair))
        if (fresh.length === 0) throw error
        return openWithOneOf(fresh, jwe)
      }
    },
  }
}

async function openWithOneOf(pairs: readonly PublicPair[], jwe: string): ReturnType<Decrypt> {
  let failure: unknown
  for (const { key } of pairs) {
    try {
      const { plaintext, protectedHeader } = await compactDecrypt(jwe, key, {
        keyManagementAlgorithms: [ALGORITHM],
        contentEncryptionAlgorithms: ['A256GCM'],
        maxDecompressedLength: 0,
      })
      return { plaintext, header: { ...protectedHeader } }
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

function openPair(privateJwk: Uint8Array): PublicPair {
  const jwk = JSON.parse(Buffer.from(privateJwk).toString()) as JsonWebKey
  const { kty, n, e } = jwk as { kty: string; n: string; e: string }
  // The thumbprint of RFC 7638 takes the members in alphabetical order.
  const kid = createHash('sha256').update(JSON.stringify({ e, kty, n })).digest('base64url')
  return { kty, n, e, kid, key: createPrivateKey({ key: jwk, format: 'jwk' }) }
}

/** A new RSA pair as a private JWK in JSON. */
export async function newPrivateJwk(): Promise<Buffer> {
  return Buffer.from(JSON.stringify(await newRsaJwk(MODULUS_BITS)))
}
