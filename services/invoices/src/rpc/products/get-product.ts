import type { Product, GetProductRequest } from '@cofre/proto/invoices/v1/products'
import { toMessage } from '../../products/product-message'
import { PRODUCTS } from '../../products/product-store'
import type { Deps } from '../../deps'

export async function getProduct(
  { pool }: Deps,
  { sellerId, productId: id }: GetProductRequest,
): Promise<Product> {
  return toMessage(await PRODUCTS.read(pool, { sellerId, id }))
}
