import { databaseNow } from '@cofre/platform/service/database-clock'
import type { Deps } from '../deps'
import type { TokenCall } from '../token-service/token-service'
import type { NetworkToken } from './network-token'

/** A call about a token, made with the seller's account under which it was requested. */
export function callAbout(
  { rules }: Deps,
  { sellerId, token, merchantId }: NetworkToken,
  deadline = databaseNow() + rules.tokenServiceTimeoutMs,
): TokenCall {
  return { sellerId, token, merchantId, deadline }
}
