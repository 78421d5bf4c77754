import type { Charge, GetChargeRequest } from '@cofre/proto/orders/v1/orders'
import { toMessage } from '../charge-store/charge-message'
import { readCharge } from '../charge-store/charge-store'
import type { Deps } from '../deps'

export async function getCharge({ pool }: Deps, request: GetChargeRequest): Promise<Charge> {
  const { charge } = await readCharge(pool, { sellerId: request.sellerId, id: request.chargeId })
  return toMessage(charge)
}
