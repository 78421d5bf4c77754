import type { CreateEstablishmentRequest, Establishment } from '@cofre/proto/orders/v1/orders'
import type { Deps } from '../deps'
import { saveEstablishment } from '../establishment/establishment-store'
import { fault, throwFaults } from '../charge/order-check'

// The acquirer's merchant id is a GUID.
const MERCHANT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export async function createEstablishment(
  { pool }: Deps,
  request: CreateEstablishmentRequest,
): Promise<Establishment> {
  const { sellerId, affiliateId, merchantId, networkTokens, retryWithCard } = request
  throwFaults([
    ...(MERCHANT_ID.test(merchantId) ? [] : [fault('#/merchantId', 'FORMAT', 'must be a GUID')]),
    ...((affiliateId ?? 0) >= 0 ? [] : [fault('#/affiliateId', 'MIN', 'must be at least 0')]),
  ])
  return saveEstablishment(pool, {
    sellerId,
    affiliateId: affiliateId ?? null,
    merchantId,
    networkTokens,
    retryWithCard,
  })
}
