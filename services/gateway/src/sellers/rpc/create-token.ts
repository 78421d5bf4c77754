import type { CreatedToken, CreateTokenRequest } from '@cofre/proto/gateway/v1/gateway'
import type { Deps } from '../../deps'
import { issueToken } from '../api-tokens/issue-token'
import { toTokenMessage } from './token-message'

export async function createToken(
  deps: Deps,
  { expiresOn, ...request }: CreateTokenRequest,
): Promise<CreatedToken> {
  const { accessToken, token } = await issueToken(deps, { ...request, ...(expiresOn ? { expiresOn } : {}) })
  deps.log.info({ sellerId: token.sellerId, tokenId: token.id }, 'token created')
  return { accessToken, token: toTokenMessage(token) }
}
