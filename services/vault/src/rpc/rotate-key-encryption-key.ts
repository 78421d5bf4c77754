import type { RotateKeyEncryptionKeyResponse } from '@cofre/proto/vault/v1/vault'
import { wrappingContext } from '../data-key'
import type { Deps } from '../deps'
import { findKeys, rewrapKey } from '../key-store'

export async function rotateKeyEncryptionKey({
  pool,
  keyEncryption,
  log,
}: Deps): Promise<RotateKeyEncryptionKeyResponse> {
  let keysWrapped = 0
  for (const key of await findKeys(pool)) {
    const bytes = await keyEncryption.unwrap(key.kekId, key.wrapped, wrappingContext(key))
    const wrapped = await keyEncryption.wrap(bytes, wrappingContext(key))
    if (await rewrapKey(pool, key, wrapped, keyEncryption.id)) keysWrapped += 1
  }
  log.info({ keyEncryptionKeyId: keyEncryption.id, keysWrapped }, 'key-encryption key rotated')
  return { keyEncryptionKeyId: keyEncryption.id, keysWrapped }
}
