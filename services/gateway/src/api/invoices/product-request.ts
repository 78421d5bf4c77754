import { productMethod, productType } from '@cofre/api/product'
import { cents } from '@cofre/api/schema'
import { z } from 'zod'
import { line, text } from '../fields/body-fields'

const OF_LINK = 'Of the payment link. An invoice that you make has settings of its own.'

/** A product, created or replaced as a whole. */
export const productRequestSchema = z
  .object({
    productType: productType.schema,
    affiliateId: z.int().min(0).optional().meta({
      description: 'The store that charges the cards of the payment link. Cofre does not check it here.',
    }),
    name: line(),
    value: cents(),
    softDescriptor: line()
      .optional()
      .meta({ description: 'What the card statement says: 13 letters and digits of it.' }),
    maxInstallments: z.int().min(1).max(12).optional().meta({ description: OF_LINK }),
    active: z
      .boolean()
      .default(true)
      .meta({ description: 'false: the payment link is closed, and says so.' }),
    methods: z
      .array(productMethod.schema)
      .max(10)
      .transform((methods) => [...new Set(methods)])
      .default([])
      .meta({ default: [], description: `${OF_LINK} None: all for which you have an account.` }),
    description: text().optional(),
    themeId: z.int().min(1).optional().meta({ description: 'Cofre keeps it and does not check it.' }),
    feePassThrough: z.boolean().default(false).meta({ description: OF_LINK }),
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
