import { assigned, changing, changingTime, fixed, fixedTime } from '@cofre/platform/postgres/columns'
import type { ListPage } from '@cofre/platform/list-page'
import type { ListRequest } from '@cofre/platform/postgres/list-search'
import { notFound } from '@cofre/platform/errors'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import { recordStore } from '../record-store'
import { searchKey } from '../search-key'
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
  linkToken: fixed,
  createdAt: fixedTime,
  updatedAt: changingTime,
})

/** The product whose payment link has this token. NOT_FOUND. */
export async function readLinkedProduct(db: Db, linkToken: string): Promise<Product> {
  const { rows } = await db.query<{ sellerId: number; id: number }>({
    name: 'find-linked-product',
    text: 'SELECT id, seller_id AS "sellerId" FROM products WHERE link_token = $1',
    values: [linkToken],
  })
  if (!rows[0]) throw notFound()
  return PRODUCTS.read(db, rows[0])
}

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
