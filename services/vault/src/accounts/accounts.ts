import type { Pool } from '@cofre/platform/postgres/postgres'
import { LRUCache } from 'lru-cache'
import type { KeyRing } from '../keys/key-ring'
import { openStored, withCurrentKey } from '../keys/stored-secret'
import { noEstablishment, openAccount, sealAccount, type Credentials } from './account'
import { ACCOUNT_KEY_CONSTRAINT, findAccount, saveAccount, type AccountKey } from './account-store'

/** An account with its credentials, unsealed. Its name is the number or code that the partner gave. */
export type Account = { name: string; credentials: Credentials }

/** The sellers' accounts at partners. */
export type Accounts = {
  /** Finds an account; an empty name means the default one. Throws FAILED_PRECONDITION NO_ESTABLISHMENT. */
  find(key: AccountKey): Promise<Account>
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
  const kept = new LRUCache<string, Account, AccountKey>({
    max: KEPT_MAX,
    ttl: KEPT_MS,
    ttlAutopurge: true,
    // An entry that is purged while it is read must not fail the call that reads it.
    ignoreFetchAbort: true,
    fetchMethod: (_name, _stale, { context }) => readAccount(pool, keys, context),
  })
  const nameOf = ({ sellerId, partner, name }: AccountKey) => `${sellerId}:${partner}:${name}`
  return {
    find: async (key) => {
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

function readAccount(pool: Pool, keys: KeyRing, asked: AccountKey): Promise<Account | undefined> {
  return openStored(
    keys,
    'a stored account',
    () => findAccount(pool, asked),
    (key, row) => ({ name: row.name, credentials: openAccount(key, row) }),
  )
}
