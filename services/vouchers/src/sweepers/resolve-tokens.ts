import { databaseNow } from '@cofre/platform/service/database-clock'
import { workInCall } from '@cofre/platform/operation/work-in-call'
import type { Deps } from '../deps'
import { readCard } from '../redirect/continue-redirect'
import { findToken, leaseTokens, updateToken, type TokenKey } from '../tokens/token-store'
import { end, type TokenDecision, type VoucherToken } from '../tokens/voucher-token'

const BATCH_SIZE = 20
const FIRST_MS = 5_000
const MAX_MS = 60_000

/** Resolves redirects whose holder did not come back, or whose process is gone. Returns how many. */
export async function resolveTokens(deps: Deps): Promise<number> {
  const lease = { at: databaseNow(), firstMs: FIRST_MS, maxMs: MAX_MS, batch: BATCH_SIZE, inHand: [] }
  const keys = await leaseTokens(deps.pool, lease)
  const { log, rules } = deps
  const limits = { log, timeoutMs: 2 * rules.issuerTimeoutMs, what: 'voucher token not resolved' }
  await Promise.all(
    keys.map((key) =>
      workInCall({ ...limits, facts: { sellerId: key.sellerId } }, () => resolveToken(deps, key)),
    ),
  )
  return keys.length
}

async function resolveToken(deps: Deps, key: TokenKey): Promise<void> {
  const token = await findToken(deps.pool, key)
  if (!token?.redirect?.phase) return
  const { phase } = token.redirect
  if (phase === 'CARD' && token.redirect.expiresAt > databaseNow()) return void (await readCard(deps, key))
  await updateToken(deps.pool, key, (current) =>
    current.redirect?.phase === phase ? gaveUp(current) : undefined,
  )
}

/** Ends a token that nobody finishes. An exchange by a lost process can't be trusted: nobody checked its ID token. */
function gaveUp(token: VoucherToken): TokenDecision | undefined {
  const at = databaseNow()
  if (token.redirect?.phase !== 'SENT') return end(token, 'FAILED', 'PROVIDER_ERROR', at)
  return token.redirect.expiresAt <= at ? end(token, 'EXPIRED', 'AUTHORIZATION_EXPIRED', at) : undefined
}
