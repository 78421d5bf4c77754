import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint, compactDecrypt, decodeProtectedHeader, importJWK, type JWK } from 'jose'
import type { Decrypt } from '../body/encrypted-fields'

const ALGORITHM = 'RSA-OAEP-256'
const MODULUS_BITS = 3072

/** The pair to whose public half a browser seals a card. */
export type EncryptionKey = {
  /** RFC 7517, with kid, use and alg, as JSON. */
  publicJwk: string
  /** Opens a compact JWE sealed to us; throws when it is not one, or uses any other algorithm. */
  decrypt: Decrypt
}

/** `retired`: private keys that this one replaced. They still open what was encrypted to them. */
export async function openEncryptionKey(
  privateJwk: Uint8Array,
  retired: readonly Uint8Array[] = [],
): Promise<EncryptionKey> {
  const current = await openPair(privateJwk)
  const former = await Promise.all(retired.map(openPair))
  const { kty, n, e, kid } = current
  return {
    publicJwk: JSON.stringify({ kty, n, e, kid, use: 'enc', alg: ALGORITHM }),
    decrypt: async (jwe) => {
      const named = decodeProtectedHeader(jwe)['kid']
      const { key } = former.find((pair) => pair.kid === named) ?? current
      const { plaintext, protectedHeader } = await compactDecrypt(jwe, key, {
        keyManagementAlgorithms: [ALGORITHM],
        contentEncryptionAlgorithms: ['A256GCM'],
        maxDecompressedLength: 0,
      })
      return { plaintext, header: { ...protectedHeader } }
    },
  }
}

async function openPair(privateJwk: Uint8Array) {
  const jwk = JSON.parse(Buffer.from(privateJwk).toString()) as JWK
  const { kty, n, e } = jwk as { kty: string; n: string; e: string }
  const kid = await calculateJwkThumbprint({ kty, n, e })
  return { kty, n, e, kid, key: await importJWK(jwk, ALGORITHM) }
}

/** A new RSA pair as a private JWK in JSON. */
export async function newPrivateJwk(): Promise<Buffer> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS })
  return Buffer.from(JSON.stringify(privateKey.export({ format: 'jwk' })))
}
