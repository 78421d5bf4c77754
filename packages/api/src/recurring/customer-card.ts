import type { CustomerCard } from '@cofre/proto/invoices/v1/customers'
import { z } from 'zod'
import { expirationSchema } from '../card'
import { epochMs } from '../schema'

/** A stored card that is charged automatically for a customer. */
const customerCardSchema = z
  .object({
    id: z.int().meta({ description: 'The id of the stored card.' }),
    brand: z.string(),
    lastFour: z.string(),
    expiration: expirationSchema,
    since: epochMs().meta({
      description: 'Since when the customer keeps it, or a recurring invoice names it. Epoch milliseconds.',
    }),
    isDefault: z.boolean().meta({
      description:
        'Whether the customer keeps it: recurring invoices and booklets that name no card charge it.',
    }),
    recurringInvoiceIds: z
      .array(z.int())
      .meta({ description: 'The recurring invoices and booklets that charge it. At most 1000.' }),
  })
  .meta({ id: 'CustomerCard' })

export const customerCardsSchema = z.object({ cards: z.array(customerCardSchema) }).meta({
  id: 'CustomerCards',
  examples: [
    {
      cards: [
        {
          id: 41,
          brand: 'VISA',
          lastFour: '1111',
          expiration: { year: 2049, month: 12 },
          since: 1_767_225_600_000,
          isDefault: true,
          recurringInvoiceIds: [12],
        },
      ],
    },
  ],
})

export function presentCustomerCard({
  expirationYear: year,
  expirationMonth: month,
  ...card
}: CustomerCard): z.output<typeof customerCardSchema> {
  const { id, brand, lastFour, since, isDefault, recurringInvoiceIds } = card
  return { id, brand, lastFour, expiration: { year, month }, since, isDefault, recurringInvoiceIds }
}
