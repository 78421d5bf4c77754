import { DomainError } from '@cofre/platform/errors'
import { readNamedKeys, type NamedKeys } from '@cofre/platform/named-keys'
import { openSecret, sealSecret } from '@cofre/platform/secret-box'

/**
 * Wraps and unwraps data keys with keys that are not in the database: here those of the settings; a key management
 * service would be another adapter. `context` is authenticated, not kept.
 */
export type KeyEncryption = {
  /** With the key that wraps now, whose id is answered too. */
  wrap(key: Uint8Array, context: string): Promise<{ wrapped: Buffer; kekId: string }>
  /** Throws when there is no such key, or when it is not the one that wrapped. */
  unwrap(kekId: string, wrapped: Uint8Array, context: string): Promise<Buffer>
  /** Takes the keys that the settings name now. Throws, and keeps those that it has, when they are bad. */
  reload(): void
}

/**
 * Keys from a text of lines `id:base64-of-32-bytes`; the first is the current one, the others only unwrap. Blank lines
 * are passed over. `read` is asked again when a key turns up that another process wrapped with one unknown here.
 */
export function openKeyEncryption(read: () => string): KeyEncryption {
  let keys = readKeys(read())
  const reload = () => void (keys = readKeys(read()))
  return {
    reload,
    wrap: async (key, context) => {
      const { current: kekId } = keys
      return { wrapped: sealSecret(keyOf(keys, kekId), key, context), kekId }
    },
    unwrap: async (kekId, wrapped, context) => {
      if (!keys.byId.has(kekId)) reload()
      return openSecret(keyOf(keys, kekId), wrapped, context)
    },
  }
}

/** What is wrong with the keys of the settings, as an answer to who gave a command: it never holds a key. */
export async function tellingWhatIsWrong<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const fault = error instanceof Error ? error.message : 'bad'
    throw new DomainError('failed_precondition', 'INTERNAL', `Key-encryption keys: ${fault}.`)
  }
}

function keyOf({ byId }: NamedKeys, id: string): Buffer {
  const key = byId.get(id)
  if (!key) throw new Error(`key-encryption key "${id}" is not in the settings`)
  return key
}

function readKeys(text: string): NamedKeys {
  return readNamedKeys(text, 'key-encryption key')
}
