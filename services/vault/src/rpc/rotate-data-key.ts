import { unavailable } from '@cofre/platform/errors'
import { withTransaction, type PoolClient } from '@cofre/platform/postgres/postgres'
import type { RotateDataKeyResponse } from '@cofre/proto/vault/v1/vault'
import { resealAccount } from '../accounts/account'
import { SEALED_ACCOUNTS, type StoredAccount } from '../accounts/account-store'
import { SEALED_CARDS, type SealedNumber } from '../cards/card-store'
import type { DataKey } from '../keys/data-key'
import type { Deps } from '../deps'
import { resealGrant } from '../grants/grant'
import { SEALED_GRANTS, type StoredGrant } from '../grants/grant-store'
import { tellingWhatIsWrong } from '../keys/key-encryption'
import { newWrappedKey, type KeyRing } from '../keys/key-ring'
import { destroyRetiredKeys, lockRetiredKeys, replaceCurrentKey, whileAloneRotating } from '../keys/key-store'
import { saveResealed, takeToReseal } from '../keys/reseal-store'
import { resealNumber } from '../cards/stored-number'

const BATCH_SIZE = 200
/** Twice a handle's life: a process that learns of the new key late still seals handles under the old one. */
const KEPT_MINUTES = 30

/**
 * Makes new keys for stored data and for handles. Numbers, accounts and grants are sealed again in batches while the
 * service runs. A rotation that was cut off anywhere is finished by running it again.
 */
export async function rotateDataKey(deps: Deps): Promise<RotateDataKeyResponse> {
  const rotated = await whileAloneRotating(deps.pool, () => rotate(deps))
  if (!rotated) throw unavailable('Another rotation is running.', 60)
  return rotated
}

async function rotate({ pool, keys, keyEncryption, log }: Deps): Promise<RotateDataKeyResponse> {
  // Otherwise a process that does not know the newest key-encryption key would wrap new keys with an old one.
  await tellingWhatIsWrong(async () => keyEncryption.reload())
  await replaceCurrentKey(pool, await newWrappedKey(keyEncryption, 'handle'))
  const made = await newWrappedKey(keyEncryption, 'card')
  await replaceCurrentKey(pool, made)
  await keys.reload()
  const key = await keys.find(made.id)
  if (!key) throw new Error('the new data key is not there')
  const resealAll = (reseal: Reseal) =>
    repeatedly(() => withTransaction(pool, (tx) => reseal(tx, { keys, key, wait: false })))
  let cardsEncrypted = await resealAll(resealCards)
  let accountsEncrypted = await resealAll(resealSomeAccounts)
  let grantsEncrypted = await resealAll(resealSomeGrants)
  const keysDestroyed = await withTransaction(pool, async (tx) => {
    // A process that inserts under an old key waits for this lock, finds the key gone, and takes the new one.
    await lockRetiredKeys(tx, 'card')
    const rest = { keys, key, wait: true }
    cardsEncrypted += await repeatedly(() => resealCards(tx, rest))
    accountsEncrypted += await repeatedly(() => resealSomeAccounts(tx, rest))
    grantsEncrypted += await repeatedly(() => resealSomeGrants(tx, rest))
    return (await destroyRetiredKeys(tx, 'card', 0)) + (await destroyRetiredKeys(tx, 'handle', KEPT_MINUTES))
  })
  await keys.reload()
  const answer = { dataKeyId: key.id, cardsEncrypted, accountsEncrypted, grantsEncrypted, keysDestroyed }
  log.info(answer, 'data key rotated')
  return answer
}

/** Seals a batch under `key` and returns its size. `wait`: waits for rows that another transaction holds. */
type Reseal = (tx: PoolClient, options: { keys: KeyRing; key: DataKey; wait: boolean }) => Promise<number>

const resealCards: Reseal = async (tx, { keys, key, wait }) => {
  const options = { keyId: key.id, limit: BATCH_SIZE, wait }
  const cards = await takeToReseal<SealedNumber>(tx, SEALED_CARDS, options)
  const resealed = await Promise.all(cards.map((card) => resealNumber(keys, key, card)))
  return saveResealed(
    tx,
    SEALED_CARDS,
    resealed.map(({ id, sealedNumber, dataKeyId }) => ({ id, sealed: sealedNumber, dataKeyId })),
  )
}

const resealSomeAccounts: Reseal = async (tx, { keys, key, wait }) => {
  const options = { keyId: key.id, limit: BATCH_SIZE, wait }
  const accounts = await takeToReseal<StoredAccount>(tx, SEALED_ACCOUNTS, options)
  const resealed = await Promise.all(accounts.map((account) => resealAccount(keys, key, account)))
  return saveResealed(tx, SEALED_ACCOUNTS, resealed)
}

const resealSomeGrants: Reseal = async (tx, { keys, key, wait }) => {
  const options = { keyId: key.id, limit: BATCH_SIZE, wait }
  const grants = await takeToReseal<StoredGrant>(tx, SEALED_GRANTS, options)
  const resealed = await Promise.all(grants.map((grant) => resealGrant(keys, key, grant)))
  return saveResealed(tx, SEALED_GRANTS, resealed)
}

/** Runs batches until one is empty. Every number leaves the retired keys once, so it ends. */
async function repeatedly(batch: () => Promise<number>): Promise<number> {
  let total = 0
  for (let done = await batch(); done > 0; done = await batch()) total += done
  return total
}
