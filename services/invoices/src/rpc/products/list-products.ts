import type { ListProductsRequest, ListProductsResponse } from '@cofre/proto/invoices/v1/products'
import type { Deps } from '../../deps'
import { toMessage, typeOf } from '../../products/product-message'
import { listProducts as findProducts } from '../../products/product-store'
import { checkPage } from '../request-check'

export async function listProducts(
  { pool }: Deps,
  { sellerId, page, size, after, name, productType, active }: ListProductsRequest,
): Promise<ListProductsResponse> {
  checkPage({ page, size })
  const filter = { sellerId, name, productType: typeOf(productType), active }
  const { entries, ...end } = await findProducts(pool, filter, { page, size, after })
  return { products: entries.map(toMessage), ...end }
}
