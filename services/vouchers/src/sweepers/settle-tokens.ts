import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import type { Deps } from '../deps'
import { readCard } from '../redirect/continue-redirect'
import { findToken, leaseTokens, updateToken, type TokenKey } from '../tokens/token-store'
import { end, type TokenDecision, type VoucherToken } from '../tokens/voucher-token'

const BATCH_SIZE = 20
const FIRST_MS = 5_000
const MAX_MS = 60_000

/** Settles redirects whose holder did not come back, or whose process is gone. Returns how many. */
export async function settleTokens(deps: Deps): Promise<number> {
  const lease = { at: Date.now(), firstMs: FIRST_MS, maxMs: MAX_MS, batch: BATCH_SIZE, inHand: [] }
  const keys = await leaseTokens(deps.pool, lease)
  await Promise.all(keys.map((key) => settleInCall(deps, key)))
  return keys.length
}

async function settleInCall(deps: Deps, key: TokenKey): Promise<void> {
  const call = newCall({ timeoutMs: 2 * deps.rules.issuerTimeoutMs })
  await runCall(call, async () => {
    try {
      await settleToken(deps, key)
    } catch (err) {
      // One token that can't be settled must not keep the others waiting; it is tried again.
      deps.log.error({ sellerId: key.sellerId, err }, 'voucher token not resolved')
    }
  })
}

async function settleToken(deps: Deps, key: TokenKey): Promise<void> {
  const token = await findToken(deps.pool, key)
  if (!token?.redirect?.phase) return
  const { phase } = token.redirect
  if (phase === 'CARD' && token.redirect.expiresAt > Date.now()) return void (await readCard(deps, key))
  await updateToken(deps.pool, key, (current) =>
    current.redirect?.phase === phase ? gaveUp(current) : undefined,
  )
}

/** Ends a token that nobody finishes. An exchange by a lost process can't be trusted: nobody checked its ID token. */
function gaveUp(token: VoucherToken): TokenDecision | undefined {
  const at = Date.now()
  if (token.redirect?.phase !== 'SENT') return end(token, 'FAILED', 'PROVIDER_ERROR', at)
  return token.redirect.expiresAt <= at ? end(token, 'EXPIRED', 'AUTHORIZATION_EXPIRED', at) : undefined
}
