import { cents } from '@cofre/api/schema'
import { z } from 'zod'
import { customerSchema, namingFields } from './order-request'

/** An order that a Pix pays. */
export const pixOrderRequestSchema = z
  .object({
    paymentMethod: z.literal('PIX').default('PIX'),
    amount: cents(1),
    customer: customerSchema.meta({ description: 'The seller’s bank is given name and document.' }),
    expiresInSeconds: z.int().min(60).max(86_400).default(3_600).meta({
      description: 'How long the order can be paid: from a minute to a day. Without it, an hour.',
    }),
    ...namingFields,
  })
  .meta({
    id: 'PixOrderRequest',
    examples: [
      {
        orderReference: 'A-1',
        paymentMethod: 'PIX',
        amount: 10_000,
        customer: { name: 'Ana Souza', document: '12345678909' },
        expiresInSeconds: 900,
      },
    ],
  })
