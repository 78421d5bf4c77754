import { productMethod, productType } from '@cofre/api/product'
import { cents } from '@cofre/api/schema'
import { z } from 'zod'
import { text } from '../fields/body-fields'

const KEPT = 'Cofre keeps it and does not apply it: an invoice has settings of its own.'

/** A product, created or replaced as a whole. */
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
    maxInstallments: z.int().min(1).max(12).optional().meta({ description: KEPT }),
    active: z.boolean().default(true).meta({ description: KEPT }),
    methods: z
      .array(productMethod.schema)
      .max(10)
      .transform((methods) => [...new Set(methods)])
      .default([])
      .meta({ default: [], description: KEPT }),
    description: text(2_000).optional(),
    themeId: z.int().min(1).optional().meta({ description: 'Cofre keeps it and does not check it.' }),
    feePassThrough: z.boolean().default(false).meta({ description: KEPT }),
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
        methods: ['CREDIT_CARD'],
        description: 'Uma hora de consultoria.',
        feePassThrough: false,
      },
    ],
  })
