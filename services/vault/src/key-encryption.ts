import { openSecret, readKey, sealSecret } from '@cofre/platform/secret-box'

/**
 * Wraps and unwraps data keys with keys that are not in the database: here those of the settings; a key management
 * service would be another adapter. `context` is authenticated, not kept.
 */
export type KeyEncryption = {
  /** The key that wraps now; the others only unwrap. */
  id: string
  wrap(key: Uint8Array, context: string): Promise<Buffer>
  /** Throws when there is no such key, or when it is not the one that wrapped. */
  unwrap(id: string, wrapped: Uint8Array, context: string): Promise<Buffer>
}

/** Keys from a text of lines `id:base64-of-32-bytes`; the first is the current one. Blank lines are passed over. */
export function keyEncryptionOf(text: string): KeyEncryption {
  const keys = new Map(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(readLine),
  )
  const [first] = keys
  if (!first) throw new Error('there is no key-encryption key')
  const [id, current] = first
  return {
    id,
    wrap: async (key, context) => sealSecret(current, key, context),
    unwrap: async (wrappedBy, wrapped, context) => {
      const key = keys.get(wrappedBy)
      if (!key) throw new Error(`key-encryption key "${wrappedBy}" is not in the settings`)
      return openSecret(key, wrapped, context)
    },
  }
}

function readLine(line: string): [string, Buffer] {
  const [, id, key] = /^\s*([A-Za-z0-9._-]{1,64}):(\S+)\s*$/.exec(line) ?? []
  if (!id || !key) throw new Error('a key-encryption key is a line id:base64-of-32-bytes')
  return [id, readKey(key)]
}
