import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, type KeyObject } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Seals with AES-256-GCM and a random nonce; returns nonce, ciphertext, tag. `context` is authenticated, not kept: a
 * secret that is sealed for one seller and row can't be opened as another's.
 */
export function sealSecret(key: Uint8Array, plaintext: Uint8Array | string, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, keyObjectOf(key), nonce).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(plaintext as string), cipher.final(), cipher.getAuthTag()])
}

/** Opens a sealed secret. Throws when the key, the context or a single bit differs. */
export function openSecret(key: Uint8Array, sealed: Uint8Array, context: string): Buffer {
  const box = Buffer.from(sealed)
  const nonce = box.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(ALGORITHM, keyObjectOf(key), nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context)).setAuthTag(box.subarray(box.length - TAG_BYTES))
  return Buffer.concat([decipher.update(box.subarray(NONCE_BYTES, box.length - TAG_BYTES)), decipher.final()])
}

const keyObjects = new WeakMap<Uint8Array, KeyObject>()

/** Keeps key objects: Node 24 takes four times as long to seal or open with a key in bytes. */
function keyObjectOf(key: Uint8Array): KeyObject {
  const known = keyObjects.get(key) ?? createSecretKey(key)
  keyObjects.set(key, known)
  return known
}

/** A 256-bit key as settings write it: 32 bytes in base64. */
export function readKey(text: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== 32) throw new Error('a key is 32 bytes in base64')
  return key
}
