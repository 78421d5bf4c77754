import { notFound } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { MAX_AMOUNT } from '@cofre/platform/money'
import type { Empty } from '@cofre/proto/google/protobuf/empty'
import {
  type CreateProductRequest,
  type GetProductRequest,
  type ListProductsRequest,
  type ListProductsResponse,
  Product as Message,
  type ReplaceProductRequest,
  type ProductFields as FieldsMessage,
} from '@cofre/proto/invoices/v1/products'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { checkPage, fault, requireAll, throwFaults } from '../../request-check'
import type { ProductFields } from '../products/product'
import { newPublicId } from '../public-id'
import { linkWarnings } from '../products/link-methods'
import { fieldsOf, isMethod, toMessage, typeOf } from '../products/product-message'
import { PRODUCTS, listProducts as findProducts } from '../products/product-store'

export async function createProduct(
  deps: Deps,
  { sellerId, fields }: CreateProductRequest,
): Promise<Replayable<Message>> {
  const given = readFields(fields)
  const warnings = await linkWarnings(deps, sellerId, given)
  return withIdempotency(deps.pool, sellerId, Message, async (tx) => {
    const at = now()
    const product = { ...given, sellerId, linkToken: newPublicId(), createdAt: at, updatedAt: at }
    return toMessage(await PRODUCTS.insert(tx, product), warnings)
  })
}

export async function getProduct(
  deps: Deps,
  { sellerId, productId: id }: GetProductRequest,
): Promise<Message> {
  const product = await PRODUCTS.read(deps.pool, { sellerId, id })
  return toMessage(product, await linkWarnings(deps, sellerId, product))
}

export async function listProducts(
  { pool }: Deps,
  { sellerId, page, size, after, place, name, productType, active }: ListProductsRequest,
): Promise<ListProductsResponse> {
  checkPage({ page, size })
  const filter = { sellerId, name, productType: typeOf(productType), active }
  const { entries, ...end } = await findProducts(pool, filter, { page, size, after, place })
  return { products: entries.map((product) => toMessage(product)), ...end }
}

export async function replaceProduct(
  deps: Deps,
  { sellerId, productId: id, fields }: ReplaceProductRequest,
): Promise<Replayable<Message>> {
  const given = readFields(fields)
  const warnings = await linkWarnings(deps, sellerId, given)
  return withIdempotency(deps.pool, sellerId, Message, async (tx) =>
    toMessage(await PRODUCTS.replace(tx, { ...given, id, sellerId, updatedAt: now() }), warnings),
  )
}

/** Deletes a product. Existing invoices keep their items. */
export async function deleteProduct(
  { pool }: Deps,
  { sellerId, productId: id }: GetProductRequest,
): Promise<Empty> {
  if (!(await PRODUCTS.remove(pool, { sellerId, id }))) throw notFound()
  return {}
}

/** Reads the product of a request. INVALID_ARGUMENT VALIDATION_FAILED. */
function readFields(fields: FieldsMessage | undefined): ProductFields {
  const type = typeOf(fields?.productType)
  requireAll({ '#/name': fields?.name, '#/productType': type })
  const { value, methods } = fields as FieldsMessage
  const isAmount = Number.isSafeInteger(value) && value >= 0 && value <= MAX_AMOUNT
  throwFaults([
    ...(isAmount ? [] : [fault('#/value', 'RANGE', `must be whole cents from 0 to ${MAX_AMOUNT}`)]),
    ...(methods.every(isMethod) ? [] : [fault('#/methods', 'ENUM', 'must name methods')]),
  ])
  return fieldsOf(fields as FieldsMessage, type ?? 'ONETIME')
}
