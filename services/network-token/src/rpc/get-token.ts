import type { GetTokenRequest, NetworkToken } from '@cofre/proto/networktoken/v1/networktoken'
import type { Deps } from '../deps'
import { toMessage } from '../token/network-token-message'
import { readToken } from '../token/network-token-store'

export async function getToken({ pool }: Deps, key: GetTokenRequest): Promise<NetworkToken> {
  const { token } = await readToken(pool, key)
  return toMessage(token)
}
