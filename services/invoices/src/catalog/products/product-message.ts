import {
  ProductMethod,
  ProductType,
  type Product as Message,
  type ProductFields as FieldsMessage,
} from '@cofre/proto/invoices/v1/products'
import { searchKey } from '../search-key'
import {
  hasLink,
  type Product,
  type ProductFields,
  type ProductMethod as MethodName,
  type ProductType as TypeName,
} from './product'
import type { ProductWarning } from './link-methods'

const TYPES = ['ONETIME', 'RECURRING'] as const satisfies readonly TypeName[]
const METHODS = ['CREDIT_CARD', 'BOLETO', 'PIX'] as const satisfies readonly MethodName[]

/** The name of a type. Undefined for a type that no product can have. */
export function typeOf(type: ProductType | undefined): TypeName | undefined {
  return TYPES.find((name) => ProductType[name] === type)
}

export function isMethod(method: ProductMethod): boolean {
  return METHODS.some((name) => ProductMethod[name] === method)
}

export function fieldsOf(fields: FieldsMessage, productType: TypeName): ProductFields {
  return {
    productType,
    name: fields.name,
    nameKey: searchKey(fields.name),
    value: fields.value,
    affiliateId: fields.affiliateId ?? null,
    softDescriptor: fields.softDescriptor || null,
    maxInstallments: fields.maxInstallments ?? null,
    active: fields.active,
    methods: METHODS.filter((name) => fields.methods.includes(ProductMethod[name])),
    description: fields.description || null,
    themeId: fields.themeId ?? null,
    feePassThrough: fields.feePassThrough,
  }
}

export function toMessage(product: Product, warnings: readonly ProductWarning[] = []): Message {
  const { id, sellerId, createdAt, updatedAt, linkToken: token, ...given } = product
  const fields: FieldsMessage = {
    productType: ProductType[given.productType],
    name: given.name,
    value: given.value,
    affiliateId: given.affiliateId ?? undefined,
    softDescriptor: given.softDescriptor ?? '',
    maxInstallments: given.maxInstallments ?? undefined,
    active: given.active,
    methods: given.methods.map((name) => ProductMethod[name]),
    description: given.description ?? '',
    themeId: given.themeId ?? undefined,
    feePassThrough: given.feePassThrough,
  }
  const linkToken = hasLink(product) ? token : ''
  return { id, sellerId, fields, createdAt, updatedAt, linkToken, warnings: [...warnings] }
}
