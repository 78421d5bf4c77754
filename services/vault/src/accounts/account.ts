import { DomainError } from '@cofre/platform/errors'
import { openSecret, sealSecret } from '@cofre/platform/secret-box'
import type { DataKey } from '../keys/data-key'
import type { KeyRing } from '../keys/key-ring'
import type { AccountKey, SealedAccount, StoredAccount } from './account-store'

/** A seller's credentials at a partner, name → value. They stay in memory only as long as `accounts.ts` keeps them. */
export type Credentials = Readonly<Record<string, string>>

const NAME = /^[\x21-\x7e]{1,100}$/
const CREDENTIAL = /^[A-Za-z]{1,40}$/
/** Printable ASCII without spaces, which an HTTP header can carry. */
const VALUE = /^[\x21-\x7e]{1,4096}$/

/** Throws VALIDATION_FAILED for an account that no call could use. */
export function checkAccount({ sellerId, partner, name }: AccountKey, credentials: Credentials): void {
  const entries = Object.entries(credentials)
  const isWhole = sellerId > 0 && /^[a-z0-9-]{1,100}$/.test(partner) && NAME.test(name)
  const areGood = entries.every(([credential, value]) => CREDENTIAL.test(credential) && VALUE.test(value))
  if (isWhole && entries.length > 0 && entries.length <= 10 && areGood) return
  throw new DomainError(
    'invalid_argument',
    'VALIDATION_FAILED',
    'An account needs a seller, a partner, a name and credentials of printable characters.',
  )
}

export function sealAccount(key: DataKey, account: AccountKey, credentials: Credentials): SealedAccount {
  const { sellerId, partner, name } = account
  const sealed = sealSecret(key.bytes, JSON.stringify(credentials), contextOf(account))
  return { sellerId, partner, name, sealed, dataKeyId: key.id }
}

export function openAccount(key: DataKey, account: SealedAccount): Credentials {
  return JSON.parse(openSecret(key.bytes, account.sealed, contextOf(account)).toString()) as Credentials
}

/** Seals the same credentials under another key. */
export async function resealAccount(
  keys: KeyRing,
  key: DataKey,
  stored: StoredAccount,
): Promise<StoredAccount> {
  const oldKey = await keys.find(stored.dataKeyId)
  if (!oldKey) throw new Error('the key of a stored account is destroyed')
  return { ...stored, ...sealAccount(key, stored, openAccount(oldKey, stored)) }
}

export function noEstablishment(): DomainError {
  const message = 'The seller has no such account at the partner.'
  return new DomainError('failed_precondition', 'NO_ESTABLISHMENT', message)
}

/** Binds a ciphertext to its row: it does not open in the row of another seller, partner or account. */
function contextOf({ sellerId, partner, name }: AccountKey): string {
  return `account:${sellerId}:${partner}:${name}`
}
