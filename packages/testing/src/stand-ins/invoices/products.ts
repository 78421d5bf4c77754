import { notFound } from '@cofre/platform/errors'
import {
  Product,
  type CreateProductRequest,
  type GetProductRequest,
  type ListProductsRequest,
  type ReplaceProductRequest,
} from '@cofre/proto/invoices/v1/products'
import type { Marks } from '../marks'

const MADE_AT = 1_767_225_600_000

/** Products in memory. */
export function createProducts(marks: Marks) {
  const products = new Map<number, Product>()
  const asked: { list: ListProductsRequest[] } = { list: [] }
  let made = 0
  const find = ({ sellerId, productId }: GetProductRequest) => {
    const found = products.get(productId)
    if (found?.sellerId !== sellerId) throw notFound()
    return found
  }
  const keep = (product: Product) => {
    products.set(product.id, product)
    return product
  }
  const answers = {
    createProduct: async ({ sellerId, fields }: CreateProductRequest) =>
      marks.once(sellerId, Product, () => {
        made += 1
        const at = { createdAt: MADE_AT + made, updatedAt: MADE_AT + made }
        const linkToken = `link-of-product-${String(made).padStart(6, '0')}`
        return keep({ id: made, sellerId, fields, linkToken, warnings: [], ...at })
      }),
    getProduct: async (request: GetProductRequest) => find(request),
    listProducts: async (request: ListProductsRequest) => {
      asked.list.push(request)
      const found = [...products.values()].filter(({ sellerId }) => sellerId === request.sellerId).reverse()
      const from = request.page * request.size
      const more = found.length > from + request.size
      return {
        products: found.slice(from, from + request.size),
        total: found.length,
        totalIsLowerBound: false,
        more,
      }
    },
    replaceProduct: async ({ fields, ...request }: ReplaceProductRequest) => {
      const before = find(request)
      return marks.once(request.sellerId, Product, () => keep({ ...before, fields, updatedAt: MADE_AT }))
    },
    deleteProduct: async (request: GetProductRequest) => {
      products.delete(find(request).id)
      return {}
    },
  }
  const links = {
    getPaymentLinkSales: async (request: GetProductRequest) => {
      find(request)
      return { count: 2, amount: 9_980, more: false }
    },
  }
  return { answers, links, products, asked }
}
