import { DomainError } from '@cofre/platform/errors'
import { readNamedKeys, type NamedKeys } from '@cofre/platform/named-keys'
import { openSecret, sealSecret } from '@cofre/platform/secret-box'

/**
 * Wraps and unwraps data keys with keys outside the database: here, those of the settings. A key management service
 * would be another adapter. `context` is authenticated, not kept.
 */
export type KeyEncryption = {
  /** Wraps with the current key, and returns that key's id too. */
  wrap(key: Uint8Array, context: string): Promise<{ wrapped: Buffer; kekId: string }>
  /** Throws when there is no key of that id, or another key did the wrapping. */
  unwrap(kekId: string, wrapped: Uint8Array, context: string): Promise<Buffer>
  /** Reads the keys of the settings again. When they are bad, it throws and keeps those that it has. */
  reload(): void
}

/**
 * Opens keys from a text of lines `id:base64-of-32-bytes`; the first is the current one, the others only unwrap. Blank
 * lines are skipped. `read` is called again for a data key that was wrapped with a key unknown here.
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

/** Runs `work`. A fault of the settings' keys becomes an answer to the operator, which never holds a key. */
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
