import type { Pool } from '@cofre/platform/postgres/postgres'
import type { KeyRing } from '../keys/key-ring'
import { openStored, withCurrentKey } from '../keys/stored-secret'
import { openGrant, sealGrant, type Grant } from './grant'
import { findGrant, GRANT_KEY_CONSTRAINT, insertGrant, replaceGrant, type GrantKey } from './grant-store'

/** Where grants are kept: the vault's own database and keys. */
type Grants = { pool: Pool; keys: KeyRing }

/** A grant, and its version among the grants of its voucher token. */
export type KeptGrant = { grant: Grant; version: number }

/** Each failed attempt was overtaken by another call about the same voucher token. */
const MAX_ATTEMPTS = 3

export async function readGrant({ pool, keys }: Grants, of: GrantKey): Promise<KeptGrant | undefined> {
  return openStored(
    keys,
    'a stored grant',
    () => findGrant(pool, of),
    (key, stored) => ({ grant: openGrant(key, stored), version: stored.version }),
  )
}

/**
 * Keeps a code until it is exchanged, in place of another that was not exchanged. Once there are tokens, a code changes
 * nothing: it is a late repeat.
 */
export async function keepCode(grants: Grants, of: GrantKey, code: string): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const kept = await readGrant(grants, of)
    if (kept && (kept.grant.accessToken !== undefined || kept.grant.code === code)) return
    if (await saveGrant(grants, of, { code }, kept?.version)) return
  }
  throw new Error('the authorization code was overtaken again and again')
}

/** Saves a grant in place of the one of `version`, or of none. Returns false, with nothing changed, when overtaken. */
export async function saveGrant(
  { pool, keys }: Grants,
  of: GrantKey,
  grant: Grant,
  version: number | undefined,
): Promise<boolean> {
  return withCurrentKey(keys, GRANT_KEY_CONSTRAINT, () => {
    const sealed = sealGrant(keys.current('card'), of, grant)
    return version === undefined ? insertGrant(pool, sealed) : replaceGrant(pool, sealed, version)
  })
}
