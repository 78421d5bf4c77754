import { notFound } from '@cofre/platform/errors'
import type { RevokeTokenRequest, Token } from '@cofre/proto/gateway/v1/gateway'
import type { Deps } from '../../deps'
import { isTokenId } from '../api-tokens/token'
import { revokeToken as saveRevocation } from '../api-tokens/token-store'
import { toTokenMessage } from './token-message'

export async function revokeToken({ pool, log }: Deps, { id }: RevokeTokenRequest): Promise<Token> {
  const token = isTokenId(id) ? await saveRevocation(pool, id) : undefined
  if (!token) throw notFound('There is no such token.')
  log.info({ sellerId: token.sellerId, tokenId: token.id }, 'token revoked')
  return toTokenMessage(token)
}
