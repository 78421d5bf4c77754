import { unavailable } from '@cofre/platform/errors'
import type { RotateEncryptionKeyResponse } from '@cofre/proto/vault/v1/vault'
import type { Deps } from '../deps'
import { tellingWhatIsWrong } from '../keys/key-encryption'
import { newWrappedKey } from '../keys/key-ring'
import { destroyRetiredKeys, replaceCurrentKey, whileAloneRotating } from '../keys/key-store'

/** Pages and apps may hold the public key for so long. */
export const HONOURED_MINUTES = 24 * 60
/** A seal that names no key is tried with each. */
const MAX_HONOURED = 10

/** A new pair for what browsers seal. The old one opens seals for another day. */
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
  // Else a key that was to go would wrap the new one, in a process that has not heard of its successor.
  await tellingWhatIsWrong(async () => keyEncryption.reload())
  await replaceCurrentKey(pool, await newWrappedKey(keyEncryption, 'jwe'))
  await keys.reload()
  const { kid } = JSON.parse(encryptionKey.publicJwk) as { kid: string }
  log.info({ kid, keysDestroyed }, 'encryption key rotated')
  return { kid, keysDestroyed }
}
