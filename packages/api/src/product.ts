import { ProductMethod, ProductType, type Product } from '@cofre/proto/invoices/v1/products'
import type { PaymentLinkSales } from '@cofre/proto/invoices/v1/payment_links'
import { z } from 'zod'
import { cents, enumNames, epochMs } from './schema'
import { warningSchema } from './warning'

export const productType = enumNames('ProductType', ProductType)
export const productMethod = enumNames('ProductMethod', ProductMethod)

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
  paymentLinkUrl: 'https://pay.example.com/buy/4fJz1Qm8Tn2bYw0c7Rk5Xg',
  warnings: [],
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
    paymentLinkUrl: z.url().nullable().meta({
      description:
        'The page on which anyone can buy the product. Nobody can guess it. null: a RECURRING product, and one for nothing, has none.',
    }),
    warnings: z.array(warningSchema).meta({
      description:
        'What keeps the payment link from offering what the product says, such as a method for which you have no account. Empty in a list.',
    }),
    createdAt: epochMs(),
    updatedAt: epochMs(),
  })
  .meta({ id: 'Product', examples: [PRODUCT_EXAMPLE] })

export type ProductJson = z.output<typeof productSchema>

export function presentProduct(
  { id, fields, createdAt, updatedAt, linkToken, warnings }: Product,
  baseUrl: string,
): ProductJson {
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
    paymentLinkUrl: linkToken === '' ? null : `${baseUrl}/buy/${linkToken}`,
    warnings: warnings.map((warning) => ({ ...warning })),
    createdAt,
    updatedAt,
  }
}

export const salesSchema = z
  .object({
    count: z.int().meta({ description: 'Invoices of the link that are PAID: the latest 10,000 at most.' }),
    amountInCents: cents().meta({ description: 'What they took, less what went back. Cents of BRL.' }),
    isLowerBound: z.boolean().meta({ description: 'true: there are more than 10,000.' }),
  })
  .meta({
    id: 'PaymentLinkSales',
    examples: [{ count: 2, amountInCents: 19_800, isLowerBound: false }],
  })

export function presentSales({ count, amount, more }: PaymentLinkSales): z.output<typeof salesSchema> {
  return { count, amountInCents: amount, isLowerBound: more }
}
