import { assigned, changing, changingTime, fixed, fixedTime } from '@cofre/platform/postgres/columns'
import type { ListPage } from '@cofre/platform/list-page'
import type { ListRequest } from '@cofre/platform/postgres/list-search'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { recordStore } from '../records/record-store'
import { searchKey } from '../records/search-key'
import type { Product, ProductType } from './product'

/** The one place that names the columns of a product. */
export const PRODUCTS = recordStore<Product>('products', {
  id: assigned,
  sellerId: fixed,
  productType: changing,
  name: changing,
  nameKey: changing,
  value: changing,
  affiliateId: changing,
  softDescriptor: changing,
  maxInstallments: changing,
  active: changing,
  methods: changing,
  description: changing,
  themeId: changing,
  feePassThrough: changing,
  createdAt: fixedTime,
  updatedAt: changingTime,
})

export type ProductFilter = {
  sellerId: number
  /** Matches the whole name, in upper or lower case. */
  name: string | undefined
  productType: ProductType | undefined
  active: boolean | undefined
}

/** A page of a seller's products, newest first. Throws PAGE_TOO_DEEP. */
export function listProducts(
  pool: Pool,
  { sellerId, name, productType, active }: ProductFilter,
  request: ListRequest,
): Promise<ListPage<Product>> {
  const conditions = [
    ['t.name_key = $', name && searchKey(name)],
    ['t.product_type = $', productType],
    ['t.active = $', active],
  ] as const
  return PRODUCTS.list(pool, sellerId, conditions, request)
}
