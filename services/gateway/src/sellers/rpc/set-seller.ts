import { DomainError, notFound } from '@cofre/platform/errors'
import type { Seller, SetSellerRequest } from '@cofre/proto/gateway/v1/gateway'
import type { Deps } from '../../deps'
import { setSellerHandling } from '../seller-store'

export async function setSeller(
  { pool, log }: Deps,
  { sellerId, lenient }: SetSellerRequest,
): Promise<Seller> {
  if (lenient === undefined) {
    const errors = [{ pointer: '#/lenient', code: 'REQUIRED', detail: 'is required' }]
    throw new DomainError('invalid_argument', 'VALIDATION_FAILED', 'The request is not valid.', { errors })
  }
  const seller = await setSellerHandling(pool, sellerId, lenient)
  if (!seller) throw notFound()
  log.info({ sellerId, lenient }, 'seller set')
  return seller
}
