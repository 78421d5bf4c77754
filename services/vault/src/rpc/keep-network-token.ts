import { DomainError } from '@cofre/platform/errors'
import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { KeepNetworkTokenRequest } from '@cofre/proto/vault/v1/vault'
import type { Deps } from '../deps'
import { cardOfHandle } from '../cards/handle-card'
import { keepTokenCard } from '../cards/network-token'

const TOKEN = /^[0-9a-f]{64}$/

export async function keepNetworkToken(
  deps: Deps,
  { sellerId, handle, networkToken }: KeepNetworkTokenRequest,
): Promise<Empty> {
  if (!TOKEN.test(networkToken)) {
    throw new DomainError('invalid_argument', 'INTERNAL', 'A network token has 64 hexadecimal digits.')
  }
  await keepTokenCard(deps, sellerId, networkToken, await cardOfHandle(deps, sellerId, handle))
  return {}
}
