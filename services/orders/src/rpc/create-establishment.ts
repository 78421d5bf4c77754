import type { CreateEstablishmentRequest, Establishment } from '@cofre/proto/orders/v1/orders'
import type { Deps } from '../deps'
import { sealAccount } from '../establishment/establishment'
import { saveEstablishment } from '../establishment/establishment-store'
import { fault, throwFaults } from '../charge/order-check'

// The acquirer's: a GUID, and 40 characters.
const MERCHANT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const MERCHANT_KEY = /^[\x21-\x7e]{40}$/

export async function createEstablishment(
  { pool, rules }: Deps,
  request: CreateEstablishmentRequest,
): Promise<Establishment> {
  const { sellerId, affiliateId, merchantId, merchantKey, networkTokens, retryWithCard } = request
  throwFaults([
    ...(MERCHANT_ID.test(merchantId) ? [] : [fault('#/merchantId', 'FORMAT', 'must be a GUID')]),
    ...(MERCHANT_KEY.test(merchantKey) ? [] : [fault('#/merchantKey', 'FORMAT', 'must be 40 characters')]),
    ...((affiliateId ?? 0) >= 0 ? [] : [fault('#/affiliateId', 'MIN', 'must be at least 0')]),
  ])
  return saveEstablishment(pool, {
    sellerId,
    affiliateId: affiliateId ?? null,
    merchantId,
    sealedKey: sealAccount(rules.establishmentKey, sellerId, { merchantId, merchantKey }),
    networkTokens,
    retryWithCard,
  })
}
