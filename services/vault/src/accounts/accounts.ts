import { breaches, type Pool } from '@cofre/platform/postgres/postgres'
import { LRUCache } from 'lru-cache'
import type { KeyRing } from '../keys/key-ring'
import { openStored, withCurrentKey } from '../keys/stored-secret'
import {
  agreementTaken,
  noEstablishment,
  openAccount,
  sealAccount,
  type Credentials,
  type OpenAccount,
} from './account'
import {
  ACCOUNT_KEY_CONSTRAINT,
  AGREEMENT_INDEX,
  findAccount,
  saveAccount,
  type AccountKey,
} from './account-store'
import { certificateExpiresAt } from './client-certificate'

/** The sellers' accounts at partners. */
export type Accounts = {
  /** The account; an empty name means the default one. Throws FAILED_PRECONDITION NO_ESTABLISHMENT. */
  find(key: AccountKey): Promise<OpenAccount>
  /** Saves an account, or replaces the one of that name. Throws CONFLICT AGREEMENT_TAKEN. */
  save(key: AccountKey, credentials: Credentials, preference: number | null): Promise<void>
}

/** How long credentials stay in memory, and so how long replaced ones are still used. */
const KEPT_MS = 1_000
const KEPT_MAX = 10_000

/** Opens the sellers' accounts. A busy seller's account is read once a second, however many calls use it. */
export function openAccounts(pool: Pool, keys: KeyRing): Accounts {
  const kept = new LRUCache<string, OpenAccount, AccountKey>({
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
    save: async (key, credentials, preference) => {
      const also = { preference, expiresAt: certificateExpiresAt(credentials) }
      const save = () => saveAccount(pool, sealAccount(keys.current('card'), key, credentials), also)
      await withCurrentKey(keys, ACCOUNT_KEY_CONSTRAINT, save).catch((error: unknown) => {
        throw breaches(error, AGREEMENT_INDEX) ? agreementTaken() : error
      })
    },
  }
}

function readAccount(pool: Pool, keys: KeyRing, key: AccountKey): Promise<OpenAccount | undefined> {
  return openStored(keys, 'a stored account', () => findAccount(pool, key), openAccount)
}
