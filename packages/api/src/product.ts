import { ProductMethod, ProductType, type Product } from '@cofre/proto/invoices/v1/products'
import { z } from 'zod'
import { cents, enumNames, epochMs } from './schema'

export const productType = enumNames(ProductType)
export const productMethod = enumNames(ProductMethod)

const PRODUCT_EXAMPLE = {
  id: 1,
  productType: 'ONETIME',
  affiliateId: null,
  name: 'Consultoria',
  value: 9_900,
  softDescriptor: 'CONSULTORIA',
  maxInstallments: 3,
  active: true,
  methods: ['CREDIT_CARD'],
  description: 'Uma hora de consultoria.',
  themeId: null,
  feePassThrough: false,
  createdAt: 1_767_225_600_000,
  updatedAt: 1_767_225_600_000,
} as const

/** A product as GET and every write show it. Null: not given. */
export const productSchema = z
  .object({
    id: z.int(),
    productType: productType.schema,
    affiliateId: z.int().nullable(),
    name: z.string(),
    value: cents(),
    softDescriptor: z.string().nullable(),
    maxInstallments: z.int().nullable(),
    active: z.boolean(),
    methods: z.array(productMethod.schema),
    description: z.string().nullable(),
    themeId: z.int().nullable(),
    feePassThrough: z.boolean(),
    createdAt: epochMs(),
    updatedAt: epochMs(),
  })
  .meta({ id: 'Product', examples: [PRODUCT_EXAMPLE] })

export type ProductJson = z.output<typeof productSchema>

export function presentProduct({ id, fields, createdAt, updatedAt }: Product): ProductJson {
  if (!fields) throw new Error('a product was answered without its fields')
  return {
    id,
    productType: productType.nameOf(fields.productType),
    affiliateId: fields.affiliateId ?? null,
    name: fields.name,
    value: fields.value,
    softDescriptor: fields.softDescriptor || null,
    maxInstallments: fields.maxInstallments ?? null,
    active: fields.active,
    methods: fields.methods.map(productMethod.nameOf),
    description: fields.description || null,
    themeId: fields.themeId ?? null,
    feePassThrough: fields.feePassThrough,
    createdAt,
    updatedAt,
  }
}
