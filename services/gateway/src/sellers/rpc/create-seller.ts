import { DomainError } from '@cofre/platform/errors'
import type { CreateSellerRequest, Seller } from '@cofre/proto/gateway/v1/gateway'
import type { Deps } from '../../deps'
import { insertSeller } from '../seller-store'

const MAX_NAME = 255

export async function createSeller({ pool, log }: Deps, request: CreateSellerRequest): Promise<Seller> {
  const name = request.name.trim()
  if (name === '' || name.length > MAX_NAME) {
    throw new DomainError('invalid_argument', 'VALIDATION_FAILED', `A name has 1 to ${MAX_NAME} characters.`)
  }
  const seller = await insertSeller(pool, name)
  log.info({ sellerId: seller.id }, 'seller created')
  return seller
}
