import { notFound } from '@cofre/platform/errors'
import type { ListPage } from '@cofre/platform/list-page'
import {
  assigned,
  changing,
  changingTime,
  fixed,
  fixedTime,
  table,
  type Row,
} from '@cofre/platform/postgres/columns'
import { readList, type ListRequest } from '@cofre/platform/postgres/list-search'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import type { Product, ProductType } from './product'

export type ProductKey = { sellerId: number; id: number }

/** The one place that names the columns of a product. */
const PRODUCTS = table<Product>({
  id: assigned,
  sellerId: fixed,
  productType: changing,
  name: changing,
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

const SELECT_PRODUCT = 'SELECT row_to_json(t) AS row FROM products t'

function productOf({ row }: { row: Row }): Product {
  return PRODUCTS.fromRow(row)
}

export async function insertProduct(db: Db, product: Omit<Product, 'id'>): Promise<Product> {
  const { rows } = await db.query<{ row: Row }>({
    name: 'insert-product',
    text: `INSERT INTO products AS t (${PRODUCTS.inserted()})
      SELECT ${PRODUCTS.inserted('r')} FROM json_populate_record(null::products, $1::json) r
      RETURNING row_to_json(t) AS row`,
    values: [JSON.stringify(PRODUCTS.toRow({ ...product, id: 0 }))],
  })
  return productOf(rows[0] as { row: Row })
}

/** NOT_FOUND also for another seller's. */
export async function readProduct(db: Db, { sellerId, id }: ProductKey): Promise<Product> {
  const { rows } = await db.query<{ row: Row }>({
    name: 'read-product',
    text: `${SELECT_PRODUCT} WHERE t.id = $1 AND t.seller_id = $2`,
    values: [id, sellerId],
  })
  if (!rows[0]) throw notFound()
  return productOf(rows[0])
}

/** Replaces every field. NOT_FOUND also for another seller's. */
export async function replaceProduct(db: Db, product: Omit<Product, 'createdAt'>): Promise<Product> {
  const { rows } = await db.query<{ row: Row }>({
    name: 'replace-product',
    text: `UPDATE products t SET ${PRODUCTS.updated('r')}
      FROM json_populate_record(null::products, $1::json) r WHERE t.id = $2 AND t.seller_id = $3
      RETURNING row_to_json(t) AS row`,
    values: [
      JSON.stringify(PRODUCTS.toRow({ ...product, createdAt: product.updatedAt })),
      product.id,
      product.sellerId,
    ],
  })
  if (!rows[0]) throw notFound()
  return productOf(rows[0])
}

/** False when the seller has no such product. */
export async function deleteProduct(db: Db, { sellerId, id }: ProductKey): Promise<boolean> {
  const { rowCount } = await db.query('DELETE FROM products WHERE id = $1 AND seller_id = $2', [id, sellerId])
  return rowCount === 1
}

export type ProductFilter = {
  sellerId: number
  /** The whole of it, in upper or lower case. */
  name: string | undefined
  productType: ProductType | undefined
  active: boolean | undefined
}

/** A page of a seller's products, newest first. Throws PAGE_TOO_DEEP. */
export async function listProducts(
  pool: Pool,
  { sellerId, name, productType, active }: ProductFilter,
  request: ListRequest,
): Promise<ListPage<Product>> {
  const conditions = [
    ['lower(t.name) = lower($)', name],
    ['t.product_type = $', productType],
    ['t.active = $', active],
  ] as const
  const list = { table: 'products', select: SELECT_PRODUCT, sellerId, conditions, statuses: [] }
  const { entries, ...end } = await readList<{ row: Row }>(pool, list, request)
  return { entries: entries.map(productOf), ...end }
}
