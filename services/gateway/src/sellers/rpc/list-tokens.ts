import type { ListTokensRequest, ListTokensResponse } from '@cofre/proto/gateway/v1/gateway'
import type { Deps } from '../../deps'
import { listTokens as findTokens } from '../api-tokens/token-store'
import { toTokenMessage } from './token-message'

export async function listTokens(
  { pool }: Deps,
  { sellerId, after }: ListTokensRequest,
): Promise<ListTokensResponse> {
  const { tokens, more } = await findTokens(pool, sellerId, { after })
  return { tokens: tokens.map(toTokenMessage), more }
}
