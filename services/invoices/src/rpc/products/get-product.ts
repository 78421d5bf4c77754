import type { Product, GetProductRequest } from '@cofre/proto/invoices/v1/products'
import { toMessage } from '../../products/product-message'
import { readProduct } from '../../products/product-store'
import type { Deps } from '../../deps'

export async function getProduct(
  { pool }: Deps,
  { sellerId, productId: id }: GetProductRequest,
): Promise<Product> {
  return toMessage(await readProduct(pool, { sellerId, id }))
}
