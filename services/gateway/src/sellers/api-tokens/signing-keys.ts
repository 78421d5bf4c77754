import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { newEd25519Jwk } from '@cofre/platform/private-jwk'
import { openSecret, sealSecret } from '@cofre/platform/secret-box'
import { calculateJwkThumbprint, importJWK, type CryptoKey, type JWK } from 'jose'
import {
  findCurrentKey,
  insertSigningKey,
  listPublicKeys,
  revokeKey,
  type Revocation,
} from './signing-key-store'

const RELOAD_EVERY_MS = 30_000
const RELOAD_AT_MOST_EVERY_MS = 1_000

export type SigningKeys = {
  /** Reads the current signing key from the database: after a rotation, the next token anywhere has the new key. */
  current(): Promise<{ kid: string; key: CryptoKey }>
  /** The public key of a `kid`; undefined when we have none. */
  publicKey(kid: string): Promise<KeyObject | undefined>
  /** The JWK Set (RFC 7517, section 5) that verifies every token in use. */
  jwks(): Promise<{ keys: JWK[] }>
  /** Makes a new key the current one and returns its `kid`. */
  rotate(): Promise<string>
  /** Revokes a key and its tokens. Returns the number of revoked tokens, undefined when there is no such key. */
  revoke(revocation: Revocation): Promise<number | undefined>
}

/** Opens the Ed25519 keys. Private parts are stored sealed under `sealingKey`. Makes the first key if there is none. */
export async function openSigningKeys(pool: Pool, sealingKey: Buffer): Promise<SigningKeys> {
  if (!(await findCurrentKey(pool))) {
    await insertSigningKey(pool, await newKey(sealingKey), { unlessOne: true })
  }
  const cache = cachePublicKeys(pool)
  return {
    current: async () => {
      const row = await findCurrentKey(pool)
      if (!row) throw new Error('there is no signing key')
      const jwk = JSON.parse(openSecret(sealingKey, row.privateJwk, contextOf(row.kid)).toString()) as JWK
      return { kid: row.kid, key: (await importJWK(jwk, 'EdDSA')) as CryptoKey }
    },
    publicKey: cache.find,
    jwks: async () => ({ keys: (await listPublicKeys(pool)).map(({ publicJwk }) => publicJwk) }),
    rotate: async () => {
      const key = await newKey(sealingKey)
      await insertSigningKey(pool, key)
      cache.forget()
      return key.kid
    },
    revoke: async (revocation) => {
      const tokensRevoked = await revokeKey(pool, revocation, await newKey(sealingKey))
      cache.forget()
      return tokensRevoked
    },
  }
}

/**
 * Caches public keys. An unknown `kid` waits for a load that begins after it was asked for: another replica may have
 * made the key a moment ago. Loads begin at most once a second, because strangers can name any `kid`.
 */
function cachePublicKeys(pool: Pool) {
  let keys = new Map<string, KeyObject>()
  let begunAt = -Infinity
  let begun = 0
  let loading: Promise<void> | undefined
  const load = async () => {
    await pause(Math.max(0, begunAt + RELOAD_AT_MOST_EVERY_MS - performance.now()))
    begunAt = performance.now()
    begun += 1
    const rows = await listPublicKeys(pool)
    keys = new Map(
      rows.map(({ kid, publicJwk }) => [
        kid,
        createPublicKey({ key: publicJwk as JsonWebKey, format: 'jwk' }),
      ]),
    )
  }
  /** All who ask share one load. */
  const reload = () => (loading ??= load().finally(() => (loading = undefined)))
  const find = async (kid: string) => {
    const before = begun
    if (performance.now() - begunAt > RELOAD_EVERY_MS) await reload()
    // At most two turns: a load that ran already when this began may lack the key.
    while (!keys.has(kid) && begun === before) await reload()
    return keys.get(kid)
  }
  /** Makes the next lookup load the keys again: a token of a key that was just made here is valid at once. */
  const forget = () => void (begunAt = -Infinity)
  return { find, forget }
}

async function newKey(sealingKey: Buffer) {
  const privateJwk = newEd25519Jwk()
  const { d: _private, ...jwk } = privateJwk
  const kid = await calculateJwkThumbprint(jwk)
  const sealed = sealSecret(sealingKey, JSON.stringify(privateJwk), contextOf(kid))
  return { kid, publicJwk: { ...jwk, kid, use: 'sig', alg: 'EdDSA' }, privateJwk: sealed }
}

function contextOf(kid: string): string {
  return `signing-key:${kid}`
}
