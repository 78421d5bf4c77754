import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { Product as Message, type ReplaceProductRequest } from '@cofre/proto/invoices/v1/products'
import { now } from '../../clock/billing-clock'
import { toMessage } from '../../products/product-message'
import { PRODUCTS } from '../../products/product-store'
import type { Deps } from '../../deps'
import { readFields } from './product-fields'

export async function replaceProduct(
  { pool }: Deps,
  { sellerId, productId: id, fields }: ReplaceProductRequest,
): Promise<Replayable<Message>> {
  const given = readFields(fields)
  return withIdempotency(pool, sellerId, Message, async (tx) =>
    toMessage(await PRODUCTS.replace(tx, { ...given, id, sellerId, updatedAt: now() })),
  )
}
