import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { openSecret, sealSecret } from '@cofre/platform/secret-box'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose'
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
  /** The key that signs now, from the database: rotation holds for the next token made anywhere. */
  current(): Promise<{ kid: string; key: CryptoKey }>
  /** The public key of a `kid`; undefined when we have none. */
  publicKey(kid: string): Promise<KeyObject | undefined>
  /** The JWK Set (RFC 7517, section 5) that verifies every token in use. */
  jwks(): Promise<{ keys: JWK[] }>
  /** Signs with a new key from now on; answers its `kid`. */
  rotate(): Promise<string>
  /** Revokes a key and its tokens; answers how many tokens, undefined when there is no such key. */
  revoke(revocation: Revocation): Promise<number | undefined>
}

/** Ed25519 keys, the private one at rest sealed under `sealingKey`. Makes the first key when there is none. */
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

/** An unknown `kid` asks the database again, at most once a second: strangers can name any. */
function cachePublicKeys(pool: Pool) {
  let keys = new Map<string, KeyObject>()
  let loadedAt = 0
  let loading: Promise<void> | undefined
  const load = async () => {
    const rows = await listPublicKeys(pool)
    keys = new Map(
      rows.map(({ kid, publicJwk }) => [
        kid,
        createPublicKey({ key: publicJwk as JsonWebKey, format: 'jwk' }),
      ]),
    )
    loadedAt = Date.now()
  }
  const find = async (kid: string) => {
    const age = Date.now() - loadedAt
    if (age > RELOAD_EVERY_MS || (!keys.has(kid) && age > RELOAD_AT_MOST_EVERY_MS)) {
      loading ??= load().finally(() => (loading = undefined))
      await loading
    }
    return keys.get(kid)
  }
  /** The next question reads them anew: a token of a key that was made here a moment ago is good at once. */
  const forget = () => void (loadedAt = 0)
  return { find, forget }
}

async function newKey(sealingKey: Buffer) {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  const sealed = sealSecret(sealingKey, JSON.stringify(await exportJWK(privateKey)), contextOf(kid))
  return { kid, publicJwk: { ...jwk, kid, use: 'sig', alg: 'EdDSA' }, privateJwk: sealed }
}

function contextOf(kid: string): string {
  return `signing-key:${kid}`
}
