import type { Dispute, GetDisputeRequest } from '@cofre/proto/orders/v1/disputes'
import { toMessage } from '../dispute-store/dispute-message'
import { readDispute } from '../dispute-store/dispute-store'
import type { Deps } from '../deps'

export async function getDispute({ pool }: Deps, request: GetDisputeRequest): Promise<Dispute> {
  const { dispute } = await readDispute(pool, { sellerId: request.sellerId, id: request.disputeId })
  return toMessage(dispute)
}
