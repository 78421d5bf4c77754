import { unavailable } from '@cofre/platform/errors'
import type { RotateKeyEncryptionKeyResponse } from '@cofre/proto/vault/v1/vault'
import { wrappingContext } from '../keys/data-key'
import type { Deps } from '../deps'
import { tellingWhatIsWrong } from '../keys/key-encryption'
import { findKeys, rewrapKey, whileAloneRotating } from '../keys/key-store'

/**
 * Reads the settings' keys again and wraps every data key with the first. It is refused, and changes nothing, while a
 * data key needs a key that the settings lack. Its answer also shows whether an old key may go.
 */
export async function rotateKeyEncryptionKey(deps: Deps): Promise<RotateKeyEncryptionKeyResponse> {
  const rotated = await whileAloneRotating(deps.pool, () => rotate(deps))
  if (!rotated) throw unavailable('Another rotation is running.', 60)
  return rotated
}

async function rotate({ pool, keyEncryption, log }: Deps): Promise<RotateKeyEncryptionKeyResponse> {
  const keys = await findKeys(pool)
  const opened = await tellingWhatIsWrong(async () => {
    keyEncryption.reload()
    return Promise.all(keys.map((key) => keyEncryption.unwrap(key.kekId, key.wrapped, wrappingContext(key))))
  })
  let keysWrapped = 0
  let keyEncryptionKeyId = ''
  for (const [at, key] of keys.entries()) {
    const { wrapped, kekId } = await keyEncryption.wrap(opened[at] as Buffer, wrappingContext(key))
    keyEncryptionKeyId = kekId
    if (await rewrapKey(pool, key, wrapped, kekId)) keysWrapped += 1
  }
  log.info({ keyEncryptionKeyId, keysWrapped }, 'key-encryption key rotated')
  return { keyEncryptionKeyId, keysWrapped }
}
