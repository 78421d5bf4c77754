import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { Product as Message, type CreateProductRequest } from '@cofre/proto/invoices/v1/products'
import { now } from '../../clock/billing-clock'
import { toMessage } from '../../products/product-message'
import { PRODUCTS } from '../../products/product-store'
import type { Deps } from '../../deps'
import { readFields } from './product-fields'

export async function createProduct(
  { pool }: Deps,
  { sellerId, fields }: CreateProductRequest,
): Promise<Replayable<Message>> {
  const given = readFields(fields)
  return withIdempotency(pool, sellerId, Message, async (tx) => {
    const at = now()
    return toMessage(await PRODUCTS.insert(tx, { ...given, sellerId, createdAt: at, updatedAt: at }))
  })
}
