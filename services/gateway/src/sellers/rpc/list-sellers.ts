import type { ListSellersResponse } from '@cofre/proto/gateway/v1/gateway'
import type { Deps } from '../../deps'
import { listSellers as findSellers } from '../seller-store'

export async function listSellers({ pool }: Deps): Promise<ListSellersResponse> {
  return { sellers: await findSellers(pool) }
}
