import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { DestroyNetworkTokenRequest } from '@cofre/proto/vault/v1/vault'
import type { Deps } from '../deps'
import { destroyNetworkToken as destroyNumbers } from '../cards/network-token'

export async function destroyNetworkToken(
  { pool, log }: Deps,
  { sellerId, networkToken }: DestroyNetworkTokenRequest,
): Promise<Empty> {
  await destroyNumbers(pool, sellerId, networkToken)
  log.info({ sellerId }, 'network token numbers destroyed')
  return {}
}
