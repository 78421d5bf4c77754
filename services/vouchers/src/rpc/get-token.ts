import type { GetTokenRequest, VoucherToken } from '@cofre/proto/vouchers/v1/vouchers'
import type { Deps } from '../deps'
import { toMessage } from '../tokens/token-message'
import { readToken } from '../tokens/token-store'

export async function getToken({ pool }: Deps, key: GetTokenRequest): Promise<VoucherToken> {
  return toMessage(await readToken(pool, key))
}
