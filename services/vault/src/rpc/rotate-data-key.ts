import { unavailable } from '@cofre/platform/errors'
import { withTransaction, type PoolClient } from '@cofre/platform/postgres/postgres'
import type { RotateDataKeyResponse } from '@cofre/proto/vault/v1/vault'
import { resealNumbers, takeNumbersToReseal } from '../cards/card-store'
import type { DataKey } from '../keys/data-key'
import type { Deps } from '../deps'
import { tellingWhatIsWrong } from '../keys/key-encryption'
import { newWrappedKey, type KeyRing } from '../keys/key-ring'
import { destroyRetiredKeys, lockRetiredKeys, replaceCurrentKey, whileAloneRotating } from '../keys/key-store'
import { resealNumber } from '../cards/stored-number'

const BATCH_SIZE = 200
/** Twice a handle's life: also one sealed by a process that learned late of the new key can be opened to its end. */
const KEPT_MINUTES = 30

/**
 * New keys for cards and handles. Numbers are sealed anew in batches while the service serves; cut off anywhere, it is
 * finished by running it again.
 */
export async function rotateDataKey(deps: Deps): Promise<RotateDataKeyResponse> {
  const rotated = await whileAloneRotating(deps.pool, () => rotate(deps))
  if (!rotated) throw unavailable('Another rotation is running.', 60)
  return rotated
}

async function rotate({ pool, keys, keyEncryption, log }: Deps): Promise<RotateDataKeyResponse> {
  // Else a key that was to go would wrap the new ones, in a process that has not heard of its successor.
  await tellingWhatIsWrong(async () => keyEncryption.reload())
  await replaceCurrentKey(pool, await newWrappedKey(keyEncryption, 'handle'))
  const made = await newWrappedKey(keyEncryption, 'card')
  await replaceCurrentKey(pool, made)
  await keys.reload()
  const key = await keys.find(made.id)
  if (!key) throw new Error('the new data key is not there')
  let cardsEncrypted = await repeatedly(() =>
    withTransaction(pool, (tx) => resealBatch(tx, keys, key, false)),
  )
  const keysDestroyed = await withTransaction(pool, async (tx) => {
    // Whoever still inserts under an old key waits here, then finds it gone and takes the new one.
    await lockRetiredKeys(tx, 'card')
    cardsEncrypted += await repeatedly(() => resealBatch(tx, keys, key, true))
    return (await destroyRetiredKeys(tx, 'card', 0)) + (await destroyRetiredKeys(tx, 'handle', KEPT_MINUTES))
  })
  await keys.reload()
  const answer = { dataKeyId: key.id, cardsEncrypted, keysDestroyed }
  log.info(answer, 'data key rotated')
  return answer
}

async function resealBatch(tx: PoolClient, keys: KeyRing, key: DataKey, wait: boolean): Promise<number> {
  const numbers = await takeNumbersToReseal(tx, { keyId: key.id, limit: BATCH_SIZE, wait })
  if (numbers.length === 0) return 0
  await resealNumbers(tx, await Promise.all(numbers.map((it) => resealNumber(keys, key, it))))
  return numbers.length
}

/** Until a batch comes back empty: every number leaves the retired keys once, so it ends. */
async function repeatedly(batch: () => Promise<number>): Promise<number> {
  let total = 0
  for (let done = await batch(); done > 0; done = await batch()) total += done
  return total
}
