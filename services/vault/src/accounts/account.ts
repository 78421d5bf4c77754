import { DomainError } from '@cofre/platform/errors'
import { openSecret, sealSecret } from '@cofre/platform/secret-box'
import type { DataKey } from '../keys/data-key'
import type { KeyRing } from '../keys/key-ring'
import type { AccountKey, SealedAccount, StoredAccount } from './account-store'

/** A seller's credentials at a partner, name → value. They stay in memory only as long as `accounts.ts` keeps them. */
export type Credentials = Readonly<Record<string, string>>

/** An account, unsealed for a moment. `version` grows by one with each replacement. */
export type OpenAccount = { id: number; version: number; credentials: Credentials }

/** In place of an account, for partners that need none. */
export const NO_ACCOUNT: OpenAccount = { id: 0, version: 0, credentials: {} }

/** The credentials of an account whose calls are made with a TLS client certificate: PEM texts. */
export const CLIENT_PAIR: readonly string[] = ['certificate', 'privateKey']

const NAME = /^[\x21-\x7e]{1,100}$/
const CREDENTIAL = /^[A-Za-z]{1,40}$/
/** Printable ASCII without spaces, which an HTTP header can carry. */
const VALUE = /^[\x21-\x7e]{1,4096}$/
/** PEM has lines. A chain of certificates is longer than a key. */
const PEM = /^[\x20-\x7e\r\n]{1,16384}$/

/** Throws VALIDATION_FAILED for an account that no call could use. */
export function checkAccount({ sellerId, partner, name }: AccountKey, credentials: Credentials): void {
  const entries = Object.entries(credentials)
  const isWhole = sellerId > 0 && /^[a-z0-9-]{1,100}$/.test(partner) && NAME.test(name)
  const areGood = entries.every(
    ([credential, value]) => CREDENTIAL.test(credential) && formOf(credential).test(value),
  )
  if (isWhole && entries.length > 0 && entries.length <= 10 && areGood) return
  throw new DomainError(
    'invalid_argument',
    'VALIDATION_FAILED',
    'An account needs a seller, a partner, a name and credentials of printable characters.',
  )
}

function formOf(credential: string): RegExp {
  return CLIENT_PAIR.includes(credential) ? PEM : VALUE
}

export function sealAccount(key: DataKey, account: AccountKey, credentials: Credentials): SealedAccount {
  const { sellerId, partner, name } = account
  const sealed = sealSecret(key.bytes, JSON.stringify(credentials), contextOf(account))
  return { sellerId, partner, name, sealed, dataKeyId: key.id }
}

export function openCredentials(key: DataKey, account: SealedAccount): Credentials {
  return JSON.parse(openSecret(key.bytes, account.sealed, contextOf(account)).toString()) as Credentials
}

export function openAccount(key: DataKey, account: StoredAccount): OpenAccount {
  const { id, version } = account
  return { id, version, credentials: openCredentials(key, account) }
}

/** Seals the same credentials under another key. */
export async function resealAccount(
  keys: KeyRing,
  key: DataKey,
  stored: StoredAccount,
): Promise<StoredAccount> {
  const oldKey = await keys.find(stored.dataKeyId)
  if (!oldKey) throw new Error('the key of a stored account is destroyed')
  return { ...stored, ...sealAccount(key, stored, openCredentials(oldKey, stored)) }
}

export function noEstablishment(): DomainError {
  const message = 'The seller has no such account at the partner.'
  return new DomainError('failed_precondition', 'NO_ESTABLISHMENT', message)
}

export function agreementTaken(): DomainError {
  const message =
    'Another seller has this account at the bank. An agreement or a Pix key belongs to one seller.'
  return new DomainError('conflict', 'AGREEMENT_TAKEN', message)
}

/** Binds a ciphertext to its row: it does not open in the row of another seller, partner or account. */
function contextOf({ sellerId, partner, name }: AccountKey): string {
  return `account:${sellerId}:${partner}:${name}`
}
