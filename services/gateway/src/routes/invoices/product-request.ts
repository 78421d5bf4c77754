import { productMethod, productType } from '@cofre/api/product'
import { cents } from '@cofre/api/schema'
import { z } from 'zod'
import { text } from '../fields/body-fields'

/** A product, made or replaced as a whole. */
export const productRequestSchema = z
  .object({
    productType: productType.schema,
    affiliateId: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'The store. Cofre keeps it and does not check it.' }),
    name: text(),
    value: cents(),
    softDescriptor: text().optional(),
    maxInstallments: z.int().min(1).max(12).optional(),
    active: z.boolean().default(true),
    methods: z
      .array(productMethod.schema)
      .max(10)
      .transform((methods) => [...new Set(methods)])
      .default([])
      .meta({ default: [] }),
    description: text(2_000).optional(),
    themeId: z.int().min(1).optional().meta({ description: 'Cofre keeps it and does not check it.' }),
    feePassThrough: z.boolean().default(false),
  })
  .meta({
    id: 'ProductRequest',
    description:
      'The payment link uses this data. An invoice item refers to a product, but has its own price.',
    examples: [
      {
        productType: 'ONETIME',
        name: 'Consultoria',
        value: 9_900,
        softDescriptor: 'CONSULTORIA',
        maxInstallments: 3,
        active: true,
        methods: ['CREDIT_CARD', 'PIX'],
        description: 'Uma hora de consultoria.',
        feePassThrough: false,
      },
    ],
  })
