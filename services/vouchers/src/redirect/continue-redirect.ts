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
  const deadline = Date.now() + rules.issuerTimeoutMs
  const asked = { ...token, clientId: token.redirect.clientId, deadline }
  const outcome = await identityProvider.exchange(brand, asked, state)
  log.info(
    { sellerId: token.sellerId, brand: brand.name, result: outcome.result },
    'authorization code exchanged',
  )
  return updateToken(pool, token, (current) => {
    const at = Date.now()
    if (outcome.result === 'granted') return takeGrant(current, outcome.accessExpiresAt, at)
    return current.redirect?.phase === 'CODE' ? end(current, 'FAILED', 'PROVIDER_ERROR', at) : undefined
  })
}

/** Reads the card that the holder picked. Without an answer the token stays as it is, and a sweeper asks again. */
export async function readCard(deps: Deps, key: TokenKey): Promise<VoucherToken | undefined> {
  const { pool, log, holders, rules } = deps
  const deadline = Date.now() + rules.issuerTimeoutMs
  const found = await holders.card(key, deadline)
  log.info({ sellerId: key.sellerId, result: found.result }, 'voucher card read')
  if (found.result === 'unknown') return undefined
  return updateToken(pool, key, (current) => {
    const at = Date.now()
    if (found.result === 'card') return takeCard(current, found.card, at)
    return current.redirect?.phase === 'CARD' ? end(current, 'FAILED', 'CARD_NOT_ELIGIBLE', at) : undefined
  })
}
