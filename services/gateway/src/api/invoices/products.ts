import { pageSchema } from '@cofre/api/page'
import {
  presentProduct,
  presentSales,
  productMethod,
  productSchema,
  productType,
  salesSchema,
} from '@cofre/api/product'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { Product, ProductFields } from '@cofre/proto/invoices/v1/products'
import { z } from 'zod'
import { answerPage } from '../../http/page-answer'
import { route } from '../../http/route'
import { pathId } from '../fields/path-fields'
import { afterQuery, pageQuery, queryBoolean, queryText } from '../fields/query-fields'
import { productRequestSchema } from './product-request'

const PATH = '/api/v2/products'
const ONE = `${PATH}/{id}`
const tag = 'Products'
const byId = z.object({ id: pathId })
const body = {
  kind: 'json',
  schema: productRequestSchema,
  required: true,
  recorded: { productType: true, affiliateId: true, value: true, maxInstallments: true, active: true },
} as const

function fieldsOf({
  productType: type,
  methods,
  ...given
}: z.output<typeof productRequestSchema>): ProductFields {
  return ProductFields.fromPartial({
    ...given,
    productType: productType.valueOf(type),
    methods: methods.map(productMethod.valueOf),
  })
}

const createProduct = route({
  method: 'POST',
  path: PATH,
  scope: 'products:write',
  operationId: 'createProduct',
  tag,
  summary: 'Create a product',
  body,
  responses: { 201: { description: 'Created.', schema: productSchema, headers: ['Location'] } },
  message: Product,
  handle: ({ sellerId, body: given }, { services: { products } }) =>
    callRepeatable(products, products.createProduct, { sellerId, fields: fieldsOf(given) }),
  present: (product, { baseUrl }) => ({
    status: 201,
    headers: { Location: `${baseUrl}${PATH}/${product.id}` },
    body: presentProduct(product, baseUrl),
  }),
})

const productQuery = z.object({
  ...pageQuery,
  ...afterQuery,
  name: queryText().optional(),
  productType: productType.schema.optional(),
  active: queryBoolean().optional(),
})

const listProducts = route({
  method: 'GET',
  path: PATH,
  scope: 'products:read',
  operationId: 'listProducts',
  tag,
  summary: 'List products, newest first',
  description: 'name must match in full. Case does not matter.',
  query: productQuery,
  responses: {
    200: { description: 'A page.', schema: pageSchema(productSchema, 'ProductPage'), headers: ['Link'] },
  },
  problems: ['PAGE_SIZE_TOO_LARGE', 'PAGE_TOO_DEEP'],
  handle: ({ sellerId, query }, { services: { products } }) => {
    const { page, size, after, place, name, active, productType: type } = query
    const request = { sellerId, page, size, after, place, name, active }
    return callRpc(products, products.listProducts, {
      ...request,
      productType: type && productType.valueOf(type),
    })
  },
  present: ({ products, ...end }, view) =>
    answerPage(
      PATH,
      { items: products.map((product) => presentProduct(product, view.baseUrl)), ...end },
      view,
    ),
})

const getProduct = route({
  method: 'GET',
  path: ONE,
  scope: 'products:read',
  operationId: 'getProduct',
  tag,
  summary: 'Read a product',
  params: byId,
  responses: { 200: { description: 'The current product.', schema: productSchema } },
  handle: ({ sellerId, params }, { services: { products } }) =>
    callRpc(products, products.getProduct, { sellerId, productId: params.id }),
  present: (product, { baseUrl }) => ({ status: 200, body: presentProduct(product, baseUrl) }),
})

const replaceProduct = route({
  method: 'PUT',
  path: ONE,
  scope: 'products:write',
  operationId: 'replaceProduct',
  tag,
  summary: 'Replace a product',
  description:
    'Replaces every field: one that you leave out is cleared. You can send what a read answered: `id`, `paymentLinkUrl`, `warnings`, `createdAt` and `updatedAt` are ignored. The payment link stays the same. Existing invoices keep their items.',
  params: byId,
  body: { ...body, readOnly: ['id', 'paymentLinkUrl', 'warnings', 'createdAt', 'updatedAt'] },
  responses: { 200: { description: 'Replaced.', schema: productSchema } },
  message: Product,
  handle: ({ sellerId, params, body: given }, { services: { products } }) => {
    const request = { sellerId, productId: params.id, fields: fieldsOf(given) }
    return callRepeatable(products, products.replaceProduct, request)
  },
  present: (product, { baseUrl }) => ({ status: 200, body: presentProduct(product, baseUrl) }),
})

const deleteProduct = route({
  method: 'DELETE',
  path: ONE,
  scope: 'products:write',
  operationId: 'deleteProduct',
  tag,
  summary: 'Delete a product',
  description: 'Existing invoices keep their items.',
  params: byId,
  responses: { 204: { description: 'The product no longer exists.' } },
  handle: ({ sellerId, params }, { services: { products } }) =>
    callRpc(products, products.deleteProduct, { sellerId, productId: params.id }),
  present: () => ({ status: 204 }),
})

const getPaymentLinkSales = route({
  method: 'GET',
  path: `${ONE}/sales`,
  scope: 'invoices:read',
  operationId: 'getPaymentLinkSales',
  tag,
  summary: 'Read what a payment link sold',
  description:
    'The invoices themselves are in the list of invoices, with `paymentLinkProductId`. An invoice that you made names no link.',
  params: byId,
  responses: { 200: { description: 'What was sold by now.', schema: salesSchema } },
  handle: ({ sellerId, params }, { services: { paymentLinks } }) =>
    callRpc(paymentLinks, paymentLinks.getPaymentLinkSales, { sellerId, productId: params.id }),
  present: (sales) => ({ status: 200, body: presentSales(sales) }),
})

export const productRoutes = [
  createProduct,
  listProducts,
  getProduct,
  replaceProduct,
  deleteProduct,
  getPaymentLinkSales,
]
