import type { ListTokensRequest, ListTokensResponse } from '@cofre/proto/gateway/v1/gateway'
import type { Deps } from '../deps'
import { listTokens as findTokens } from '../api-tokens/token-store'
import { toTokenMessage } from './token-message'

export async function listTokens(
  { pool }: Deps,
  { sellerId }: ListTokensRequest,
): Promise<ListTokensResponse> {
  return { tokens: (await findTokens(pool, sellerId)).map(toTokenMessage) }
}
