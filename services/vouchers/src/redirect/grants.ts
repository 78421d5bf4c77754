import { setTimeout as pause } from 'node:timers/promises'
import { redirectBrand, type Brands } from '../brands/brand'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { endRenewal, findToken, leaseRenewal, updateToken, type TokenKey } from '../tokens/token-store'
import { revoked, type VoucherToken } from '../tokens/voucher-token'
import type { IdentityProvider } from './identity-provider'

/** The grants of card holders, by which payments are made in their name. */
export type Grants = {
  /**
   * A token whose access token is good for a while. `renew`: the issuer did not take the one that there is. `gone`: the
   * provider no longer takes the grant; `unavailable`: it can't be had now, and nothing was paid.
   */
  use(
    key: TokenKey,
    how: { deadline: number; renew: boolean },
  ): Promise<VoucherToken | 'gone' | 'unavailable'>
}

/** An access token that ends sooner is renewed first. */
const MARGIN_MS = 30_000
/** One process renews at a time: a refresh token that is used twice revokes the grant (RFC 6819, 5.2.2.3). */
const RENEWAL_MS = 15_000
const LOOK_EVERY_MS = 50

export function openGrants(pool: Pool, brands: Brands, provider: IdentityProvider): Grants {
  const use: Grants['use'] = async (key, { deadline, renew }) => {
    const token = await findToken(pool, key)
    if (token?.status !== 'ACTIVE' || !token.redirect) return 'gone'
    if (!renew && isFresh(token)) return token
    const at = Date.now()
    if (at >= deadline) return 'unavailable'
    if (!(await leaseRenewal(pool, key, at, RENEWAL_MS))) {
      await pause(LOOK_EVERY_MS)
      return use(key, { deadline, renew: false })
    }
    // Another one may have renewed it between the look and the lease.
    const current = await findToken(pool, key)
    if (current && isNewer(current, token)) {
      await endRenewal(pool, key, undefined)
      return use(key, { deadline, renew: false })
    }
    return renewed(key, token, deadline)
  }

  const renewed = async (key: TokenKey, token: VoucherToken, deadline: number) => {
    const brand = redirectBrand(brands, token.brand)
    if (!brand || !token.redirect) return 'unavailable'
    const asked = { ...key, clientId: token.redirect.clientId, deadline }
    const outcome = await provider.refresh(brand, asked)
    if (outcome.result === 'granted') {
      await endRenewal(pool, key, outcome.accessExpiresAt)
      // It was given a moment ago: it is good, however short the provider lets it live.
      const renewedToken = await findToken(pool, key)
      return renewedToken?.status === 'ACTIVE' ? renewedToken : 'gone'
    }
    await endRenewal(pool, key, undefined)
    if (outcome.result !== 'refused') return 'unavailable'
    await updateToken(pool, key, (current) => revoked(current, Date.now()))
    return 'gone'
  }
  return { use }
}

function isFresh({ redirect }: VoucherToken): boolean {
  return (redirect?.accessExpiresAt ?? 0) > Date.now() + MARGIN_MS
}

function isNewer(current: VoucherToken, token: VoucherToken): boolean {
  return (current.redirect?.accessExpiresAt ?? 0) > (token.redirect?.accessExpiresAt ?? 0)
}
