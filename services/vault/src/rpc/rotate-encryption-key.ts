import { unavailable } from '@cofre/platform/errors'
import type { RotateEncryptionKeyResponse } from '@cofre/proto/vault/v1/vault'
import type { Deps } from '../deps'
import { tellingWhatIsWrong } from '../keys/key-encryption'
import { newWrappedKey } from '../keys/key-ring'
import { destroyRetiredKeys, replaceCurrentKey, whileAloneRotating } from '../keys/key-store'

/** How long pages and apps may hold the public key. */
export const HONOURED_MINUTES = 24 * 60
/** The most replaced keys in use: a seal that names no key is tried with each. */
const MAX_HONOURED = 10

/** Makes a new pair for browsers to encrypt to. The old one opens seals for another day. */
export async function rotateEncryptionKey(deps: Deps): Promise<RotateEncryptionKeyResponse> {
  const rotated = await whileAloneRotating(deps.pool, () => rotate(deps))
  if (!rotated) throw unavailable('Another rotation is running.', 60)
  return rotated
}

async function rotate(deps: Deps): Promise<RotateEncryptionKeyResponse> {
  const { pool, keys, keyEncryption, encryptionKey, log } = deps
  const keysDestroyed = await destroyRetiredKeys(pool, 'jwe', HONOURED_MINUTES)
  await keys.reload()
  if (keys.retired('jwe').length >= MAX_HONOURED) {
    throw unavailable(`${MAX_HONOURED} keys were replaced within a day. Nothing was done.`, 3_600)
  }
  // Otherwise a process that does not know the newest key-encryption key would wrap the new key with an old one.
  await tellingWhatIsWrong(async () => keyEncryption.reload())
  await replaceCurrentKey(pool, await newWrappedKey(keyEncryption, 'jwe'))
  await keys.reload()
  const { kid } = JSON.parse(encryptionKey.publicJwk) as { kid: string }
  log.info({ kid, keysDestroyed }, 'encryption key rotated')
  return { kid, keysDestroyed }
}
