import { notFound } from '@cofre/platform/errors'
import type { Empty } from '@cofre/proto/google/protobuf/empty'
import type { GetProductRequest } from '@cofre/proto/invoices/v1/products'
import type { Deps } from '../../deps'
import { PRODUCTS } from '../../products/product-store'

/** Deletes a product. Existing invoices keep their items. */
export async function deleteProduct(
  { pool }: Deps,
  { sellerId, productId: id }: GetProductRequest,
): Promise<Empty> {
  if (!(await PRODUCTS.remove(pool, { sellerId, id }))) throw notFound()
  return {}
}
