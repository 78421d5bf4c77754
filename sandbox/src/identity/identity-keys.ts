import { createPrivateKey, generateKeyPairSync, type JsonWebKey, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MODULUS_BITS = 2048

export type IdentityKeys = {
  /** The private key that signs id tokens. */
  signing: JsonWebKey & { kid: string; use: string; alg: string }
  cookies: string
}

/** Returns the provider's keys. The first start makes them, so that a restart changes none. */
export function readKeys(folder: string): IdentityKeys {
  const path = join(folder, 'identity-keys.json')
  if (existsSync(path)) {
    const keys: IdentityKeys = JSON.parse(readFileSync(path, 'utf8'))
    return keys
  }
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: MODULUS_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const named = { kid: randomBytes(8).toString('hex'), use: 'sig', alg: 'RS256' }
  const keys = {
    // By way of PEM: Node 20 may hang for good when it exports a pair that it has just made.
    signing: { ...createPrivateKey(privateKey).export({ format: 'jwk' }), ...named },
    cookies: randomBytes(32).toString('base64url'),
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(path, JSON.stringify(keys), { mode: 0o600 })
  return keys
}
