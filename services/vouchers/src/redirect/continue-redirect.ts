import { databaseNow } from '@cofre/platform/service/database-clock'
import { redirectBrand } from '../brands/brand'
import type { Deps } from '../deps'
import { updateToken, type TokenKey } from '../tokens/token-store'
import { end, takeCard, takeGrant, type VoucherToken } from '../tokens/voucher-token'
import type { State } from './state'

/** Exchanges the code that the vault keeps, once. An untrusted or unknown outcome ends the token as FAILED. */
export async function exchangeCode(
  deps: Deps,
  token: VoucherToken,
  state: State,
): Promise<VoucherToken | undefined> {
  const { pool, log, identityProvider, rules } = deps
  const brand = redirectBrand(deps.brands, token.brand)
  if (!brand || !token.redirect) return undefined
  const deadline = databaseNow() + rules.issuerTimeoutMs
  const asked = { ...token, clientId: token.redirect.clientId, deadline }
  const outcome = await identityProvider.exchange(brand, asked, state)
  log.info(
    { sellerId: token.sellerId, brand: brand.name, result: outcome.result },
    'authorization code exchanged',
  )
  return updateToken(pool, token, (current) => {
    const at = databaseNow()
    if (outcome.result === 'granted') return takeGrant(current, outcome.accessExpiresAt, at)
    // The provider does not know the code: it was invented, or belongs to another link.
    const reason = outcome.result === 'refused' ? 'CODE_REFUSED' : 'PROVIDER_ERROR'
    return current.redirect?.phase === 'CODE' ? end(current, 'FAILED', reason, at) : undefined
  })
}

/** Reads the card that the holder picked. Without an answer the token stays as it is, and a sweeper asks again. */
export async function readCard(deps: Deps, key: TokenKey): Promise<VoucherToken | undefined> {
  const { pool, log, holders, rules } = deps
  const deadline = databaseNow() + rules.issuerTimeoutMs
  const found = await holders.card(key, deadline)
  log.info({ sellerId: key.sellerId, result: found.result }, 'voucher card read')
  if (found.result === 'unknown') return undefined
  return updateToken(pool, key, (current) => {
    const at = databaseNow()
    if (found.result === 'card') return takeCard(current, found.card, at)
    return current.redirect?.phase === 'CARD' ? end(current, 'FAILED', 'CARD_NOT_ELIGIBLE', at) : undefined
  })
}
