import { DomainError } from '@cofre/platform/errors'
import { openSecret, sealSecret } from '@cofre/platform/secret-box'
import type { DataKey } from '../keys/data-key'
import type { KeyRing } from '../keys/key-ring'
import type { AccountKey, SealedAccount, StoredAccount } from './account-store'

/** What a partner knows a seller by: credential → value. In the open for as long as `accounts.ts` keeps it. */
export type Credentials = Readonly<Record<string, string>>

const NAME = /^[\x21-\x7e]{1,100}$/
const CREDENTIAL = /^[A-Za-z]{1,40}$/
/** What an HTTP header carries. */
const VALUE = /^[\x21-\x7e]{1,4096}$/

/** Throws VALIDATION_FAILED for an account that no call could be made with. */
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

/** The same credentials under another key. */
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

/** A ciphertext copied to another seller's, partner's or account's row does not open there. */
function contextOf({ sellerId, partner, name }: AccountKey): string {
  return `account:${sellerId}:${partner}:${name}`
}
