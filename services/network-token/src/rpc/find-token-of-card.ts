import { notFound } from '@cofre/platform/errors'
import type { FindTokenOfCardRequest, NetworkToken } from '@cofre/proto/networktoken/v1/networktoken'
import type { Deps } from '../deps'
import { toMessage } from '../token/network-token-message'
import { findTokenOfCard as find } from '../token/network-token-store'

export async function findTokenOfCard(
  { pool }: Deps,
  request: FindTokenOfCardRequest,
): Promise<NetworkToken> {
  const token = request.cardToken === '' ? undefined : await find(pool, request)
  if (!token) throw notFound()
  return toMessage(token)
}
