import type { Logger } from '@cofre/platform/telemetry/log'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { openEncryptionKey, type EncryptionKey } from './keys/encryption-key'
import type { KeyEncryption } from './keys/key-encryption'
import { openKeyRing, type KeyRing } from './keys/key-ring'
import type { Partners } from './partners/partners'

/** What every RPC is given. */
export type Deps = {
  log: Logger
  pool: Pool
  partners: Partners
  keyEncryption: KeyEncryption
  keys: KeyRing
  encryptionKey: EncryptionKey
  /** Epoch milliseconds. */
  now(): number
}

/** Wires the service over a migrated database; makes its keys at the very first start. */
export async function openDeps(given: Omit<Deps, 'keys' | 'encryptionKey'>): Promise<Deps> {
  const keys = await openKeyRing(given.pool, given.keyEncryption)
  const encryptionKey = await openEncryptionKey(keys.current('jwe').bytes)
  return { ...given, keys, encryptionKey }
}
