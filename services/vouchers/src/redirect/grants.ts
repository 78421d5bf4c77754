import { setTimeout as pause } from 'node:timers/promises'
import { databaseNow } from '@cofre/platform/service/database-clock'
import { redirectBrand, type Brands } from '../brands/brand'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { endRenewal, findToken, leaseRenewal, updateToken, type TokenKey } from '../tokens/token-store'
import { revoked, type VoucherToken } from '../tokens/voucher-token'
import type { IdentityProvider } from './identity-provider'

/** The grants of card holders, with which payments are made in their name. */
export type Grants = {
  /**
   * Returns a token whose access token can be used until `deadline`, epoch milliseconds. `refused`: the token as it was
   * when the issuer did not accept its access token. `gone`: the provider no longer accepts the grant. `unavailable`:
   * there is no access token for the moment, and nothing was paid.
   */
  use(key: TokenKey, deadline: number, refused?: VoucherToken): Promise<VoucherToken | 'gone' | 'unavailable'>
}

/** An access token that ends sooner than this is renewed first. */
const MARGIN_MS = 30_000
/** How long after its deadline a renewal may still be under way. */
const SPARE_MS = 5_000
const LOOK_EVERY_MS = 50

/** One process at a time renews a grant: using a refresh token twice revokes the grant (RFC 6819, 5.2.2.3). */
export function openGrants(pool: Pool, brands: Brands, provider: IdentityProvider): Grants {
  const use: Grants['use'] = async (key, deadline, old) => {
    const token = await findToken(pool, key)
    if (!token || !mayBeUsed(token)) return 'gone'
    if (old ? isAnother(token, old) : isFresh(token)) return token
    const leftMs = deadline - databaseNow()
    if (leftMs <= 0) return 'unavailable'
    const mark = await leaseRenewal(pool, key, endOf(token), leftMs + SPARE_MS)
    if (mark !== undefined) return renewed(token, deadline, mark)
    await pause(LOOK_EVERY_MS)
    return use(key, deadline, token)
  }

  const renewed = async (token: VoucherToken, deadline: number, mark: string) => {
    const brand = redirectBrand(brands, token.brand)
    if (!brand || !token.redirect) return 'unavailable'
    const asked = { ...token, clientId: token.redirect.clientId, deadline }
    const outcome = await provider.refresh(brand, asked)
    const accessExpiresAt = outcome.result === 'granted' ? outcome.accessExpiresAt : null
    const now = await endRenewal(pool, token, mark, accessExpiresAt)
    // The new one is used however short its life: the provider gives no better one.
    if (accessExpiresAt !== null) return now && mayBeUsed(now) ? now : use(token, deadline, token)
    if (outcome.result !== 'refused') return 'unavailable'
    // The refusal comes too late when another process has renewed the grant meanwhile.
    const ended = await updateToken(pool, token, (current) =>
      endOf(current) === endOf(token) ? revoked(current, databaseNow()) : undefined,
    )
    return ended ? 'gone' : use(token, deadline, token)
  }
  return { use }
}

/** True when the grant pays, or reads the card that it will pay with. */
function mayBeUsed({ status, redirect }: VoucherToken): boolean {
  return redirect !== null && (status === 'ACTIVE' || redirect.phase === 'CARD')
}

/** Returns when its access token ends, epoch milliseconds; this time also identifies the access token. */
function endOf({ redirect }: VoucherToken): number | null {
  return redirect?.accessExpiresAt ?? null
}

function isFresh(token: VoucherToken): boolean {
  return (endOf(token) ?? 0) > databaseNow() + MARGIN_MS
}

/** True when it was renewed after `old` was read, and has not expired since. */
function isAnother(token: VoucherToken, old: VoucherToken): boolean {
  return endOf(token) !== endOf(old) && (endOf(token) ?? 0) > databaseNow()
}
