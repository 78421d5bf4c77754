import { DomainError } from '@cofre/platform/errors'
import type { ActiveToken, GetTokenRequest } from '@cofre/proto/networktoken/v1/networktoken'
import type { Deps } from '../deps'
import { notActive } from '../token/network-token'
import { findToken } from '../token/network-token-store'

export async function describeActiveToken({ pool }: Deps, key: GetTokenRequest): Promise<ActiveToken> {
  const found = await findToken(pool, key)
  if (!found)
    throw new DomainError('failed_precondition', 'CARD_TOKEN_UNUSABLE', 'The network token is unknown.')
  const { token } = found
  if (token.status !== 'ACTIVE') throw notActive()
  const { card, merchantId, cardIsCurrent, cardToken } = token
  return { card, merchantId, cardIsCurrent, cardToken: cardToken ?? '' }
}
