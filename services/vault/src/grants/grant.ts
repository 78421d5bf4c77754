import { DomainError } from '@cofre/platform/errors'
import { openSecret, sealSecret } from '@cofre/platform/secret-box'
import type { DataKey } from '../keys/data-key'
import type { KeyRing } from '../keys/key-ring'
import type { GrantKey, SealedGrant, StoredGrant } from './grant-store'

/** An identity provider's grant (RFC 6749): the code until it is exchanged, then the tokens. Unsealed for one call. */
export type Grant = Readonly<{ code?: string; accessToken?: string; refreshToken?: string }>

/** The characters of codes and tokens (RFC 6749, appendix A), without the space: an HTTP header carries them. */
const TEXT = /^[\x21-\x7e]{1,8192}$/

export function isGrantText(value: unknown): value is string {
  return typeof value === 'string' && TEXT.test(value)
}

/** Throws VALIDATION_FAILED for a text that can't be an authorization code. */
export function checkCode(code: string): void {
  if (isGrantText(code)) return
  throw new DomainError('invalid_argument', 'VALIDATION_FAILED', 'This is not an authorization code.')
}

export function sealGrant(key: DataKey, of: GrantKey, grant: Grant): SealedGrant {
  const { sellerId, voucherToken } = of
  const sealed = sealSecret(key.bytes, JSON.stringify(grant), contextOf(of))
  return { sellerId, voucherToken, sealed, dataKeyId: key.id }
}

export function openGrant(key: DataKey, stored: SealedGrant): Grant {
  return JSON.parse(openSecret(key.bytes, stored.sealed, contextOf(stored)).toString()) as Grant
}

/** Seals the same grant under another key. */
export async function resealGrant(keys: KeyRing, key: DataKey, stored: StoredGrant): Promise<StoredGrant> {
  const oldKey = await keys.find(stored.dataKeyId)
  if (!oldKey) throw new Error('the key of a stored grant is destroyed')
  return { ...stored, ...sealGrant(key, stored, openGrant(oldKey, stored)) }
}

/** Binds a ciphertext to its row: it does not open in the row of another seller or token. */
function contextOf({ sellerId, voucherToken }: GrantKey): string {
  return `grant:${sellerId}:${voucherToken}`
}
