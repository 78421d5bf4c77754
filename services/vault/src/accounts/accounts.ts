import type { Pool } from '@cofre/platform/postgres/postgres'
import { LRUCache } from 'lru-cache'
import type { KeyRing } from '../keys/key-ring'
import { openStored, withCurrentKey } from '../keys/stored-secret'
import { noEstablishment, openAccount, sealAccount, type Credentials } from './account'
import { ACCOUNT_KEY_CONSTRAINT, findAccount, saveAccount, type AccountKey } from './account-store'

/** The sellers' accounts at partners. */
export type Accounts = {
  /** The account's credentials; an empty name means the default one. Throws FAILED_PRECONDITION NO_ESTABLISHMENT. */
  credentials(key: AccountKey): Promise<Credentials>
  save(
    key: AccountKey,
    credentials: Credentials,
    how: { preference: number | null; replace: boolean },
  ): Promise<void>
}

/** How long credentials stay in memory, and so how long replaced ones are still used. */
const KEPT_MS = 1_000
const KEPT_MAX = 10_000

/** Opens the sellers' accounts. A busy seller's account is read once a second, however many calls use it. */
export function openAccounts(pool: Pool, keys: KeyRing): Accounts {
  const kept = new LRUCache<string, Credentials, AccountKey>({
    max: KEPT_MAX,
    ttl: KEPT_MS,
    ttlAutopurge: true,
    // An entry that is purged while it is read must not fail the call that reads it.
    ignoreFetchAbort: true,
    fetchMethod: (_name, _stale, { context }) => readCredentials(pool, keys, context),
  })
  const nameOf = ({ sellerId, partner, name }: AccountKey) => `${sellerId}:${partner}:${name}`
  return {
    credentials: async (key) => {
      const found = await kept.fetch(nameOf(key), { context: key })
      if (!found) throw noEstablishment()
      return found
    },
    save: async (key, credentials, how) => {
      const save = () => saveAccount(pool, sealAccount(keys.current('card'), key, credentials), how)
      await withCurrentKey(keys, ACCOUNT_KEY_CONSTRAINT, save)
    },
  }
}

function readCredentials(pool: Pool, keys: KeyRing, key: AccountKey): Promise<Credentials | undefined> {
  return openStored(keys, 'a stored account', () => findAccount(pool, key), openAccount)
}
