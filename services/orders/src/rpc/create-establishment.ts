import type { CreateEstablishmentRequest, Establishment } from '@cofre/proto/orders/v1/orders'
import { ACQUIRERS, type AcquirerName } from '../acquirer/acquirer-name'
import { fault, invalidRequest, throwFaults } from '../charge/order-check'
import type { Deps } from '../deps'
import { saveEstablishment } from '../establishment/establishment-store'

const NUMBER = /^\d{1,10}$/
const NOT_A_NUMBER = 'must have 1 to 10 digits'

export async function createEstablishment(
  { pool, acquirers }: Deps,
  request: CreateEstablishmentRequest,
): Promise<Establishment> {
  const { sellerId, affiliateId, merchantId, networkTokens, retryWithCard, establishmentNumber } = request
  const acquirer = acquirerNamed(request.acquirer ?? ACQUIRERS[0])
  const { pattern, fault: detail } = acquirers[acquirer].capabilities.merchantId
  throwFaults([
    ...(pattern.test(merchantId) ? [] : [fault('#/merchantId', 'FORMAT', detail)]),
    ...((affiliateId ?? 0) >= 0 ? [] : [fault('#/affiliateId', 'MIN', 'must be at least 0')]),
    ...(NUMBER.test(establishmentNumber ?? '1')
      ? []
      : [fault('#/establishmentNumber', 'FORMAT', NOT_A_NUMBER)]),
  ])
  return saveEstablishment(pool, {
    sellerId,
    affiliateId: affiliateId ?? null,
    acquirer,
    merchantId,
    networkTokens,
    retryWithCard,
    establishmentNumber: establishmentNumber ?? null,
  })
}

function acquirerNamed(wanted: string): AcquirerName {
  const found = ACQUIRERS.find((name) => name === wanted)
  if (found) return found
  throw invalidRequest([fault('#/acquirer', 'ENUM', `must be one of: ${ACQUIRERS.join(', ')}`)])
}
