import { databaseNow } from '@cofre/platform/service/database-clock'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { within } from '@cofre/platform/within'
import { NetworkToken, type GetTokenRequest } from '@cofre/proto/networktoken/v1/networktoken'
import type { Deps } from '../deps'
import { deactivate } from '../token/network-token'
import { decideLocked } from '../token/network-token-store'
import { resolveToken } from '../token/resolve-token'

/** How long the caller waits for the network; past that, the sweeper closes the token. */
const CLOSE_MS = 3_000

/** Ends the token here, which stops its charges at once, and then at the network. */
export async function deactivateToken(deps: Deps, key: GetTokenRequest): Promise<Replayable<NetworkToken>> {
  const { pool, log } = deps
  const ended = await withIdempotency(pool, key.sellerId, NetworkToken, async (tx) => {
    const { message } = await decideLocked(tx, key, (token) => deactivate(token, databaseNow()))
    return message
  })
  await within(CLOSE_MS, resolveToken(deps, key), 'not closed at the network yet').catch((err: unknown) =>
    log.warn({ sellerId: key.sellerId, err }, 'token not closed at the network yet, will try again'),
  )
  return ended
}
