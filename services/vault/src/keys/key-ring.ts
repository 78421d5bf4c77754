import { randomBytes, randomUUID } from 'node:crypto'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { PURPOSES, wrappingContext, type DataKey, type Purpose, type WrappedKey } from './data-key'
import { newPrivateJwk } from './encryption-key'
import type { KeyEncryption } from './key-encryption'
import { findKeys, insertKeyIfNone } from './key-store'

/** The data keys, unwrapped, in memory. */
export type KeyRing = {
  /** The key to seal under. Another process may have retired it since the last `reload`. */
  current(purpose: Purpose): DataKey
  /** The keys that the current one replaced and that still exist: they open older ciphertexts. */
  retired(purpose: Purpose): readonly DataKey[]
  /** Finds a ciphertext's key; reads the keys again when it is not known here. Undefined when it is destroyed. */
  find(id: string): Promise<DataKey | undefined>
  /** Reads the keys again: learns of other processes' rotations, and forgets keys that they destroyed. */
  reload(): Promise<void>
}

/** Opens the ring, after making each key that is missing. */
export async function openKeyRing(pool: Pool, keyEncryption: KeyEncryption): Promise<KeyRing> {
  let keys = new Map<string, DataKey>()
  let reloading = Promise.resolve()
  const read = async () => {
    const wrapped = await findKeys(pool)
    const unwrapped = wrapped.map(async (key) => keys.get(key.id) ?? unwrapKey(keyEncryption, key))
    const current = (await Promise.all(unwrapped)).map((key, index) => {
      return { ...key, retired: wrapped[index]?.retired ?? true }
    })
    keys = new Map(current.map((key) => [key.id, key]))
  }
  // Reloads run one after the other, so that the latest read wins.
  const reload = () => (reloading = reloading.catch(() => {}).then(read))
  await makeMissingKeys(pool, keyEncryption)
  await reload()
  return {
    current: (purpose) => {
      const current = [...keys.values()].find((key) => key.purpose === purpose && !key.retired)
      if (!current) throw new Error(`there is no ${purpose} key`)
      return current
    },
    retired: (purpose) => [...keys.values()].filter((key) => key.purpose === purpose && key.retired),
    find: async (id) => {
      if (!keys.has(id)) await reload()
      return keys.get(id)
    },
    reload,
  }
}

/** Makes a new key, wrapped but not yet in the database. */
export async function newWrappedKey(keyEncryption: KeyEncryption, purpose: Purpose): Promise<WrappedKey> {
  const id = randomUUID()
  const bytes = purpose === 'jwe' ? await newPrivateJwk() : randomBytes(32)
  const sealed = await keyEncryption.wrap(bytes, wrappingContext({ id, purpose }))
  return { id, purpose, ...sealed, retired: false }
}

async function makeMissingKeys(pool: Pool, keyEncryption: KeyEncryption): Promise<void> {
  const existing = await findKeys(pool)
  for (const purpose of PURPOSES) {
    if (existing.some((key) => key.purpose === purpose && !key.retired)) continue
    await insertKeyIfNone(pool, await newWrappedKey(keyEncryption, purpose))
  }
}

async function unwrapKey(keyEncryption: KeyEncryption, key: WrappedKey): Promise<DataKey> {
  const bytes = await keyEncryption.unwrap(key.kekId, key.wrapped, wrappingContext(key))
  return { id: key.id, purpose: key.purpose, bytes, retired: key.retired }
}
