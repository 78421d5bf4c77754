import type { CustomerCard } from '@cofre/proto/invoices/v1/customers'
import { z } from 'zod'
import { expirationSchema } from '../card'
import { emailLanguageSchema } from '../invoice-email'
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
    consent: z
      .object({
        language: emailLanguageSchema,
        text: z.string().meta({ description: 'The whole words beside the box that the payer ticked.' }),
        address: z
          .string()
          .meta({ description: 'The IP address that the payer came from; of IPv6, that of the network.' }),
        givenAt: epochMs(),
      })
      .meta({ id: 'CardConsent' })
      .nullable()
      .meta({
        description:
          'What the payer agreed to on the checkout, kept until the card is removed. null: you asked, as with a payment through this API, or the customer does not keep the card.',
      }),
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
          consent: {
            language: 'en',
            text: 'Save this card for automatic charges by this seller: the next invoices, and those that are still open. It replaces a card that you saved before. You can remove it whenever you like, on the page of any invoice.',
            address: '203.0.113.7',
            givenAt: 1_767_225_600_000,
          },
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
  const { language, text = '', address = '', givenAt = 0 } = card.consent ?? {}
  const consent = card.consent
    ? { language: language === 'en' ? ('en' as const) : ('pt-BR' as const), text, address, givenAt }
    : null
  return { id, brand, lastFour, expiration: { year, month }, since, isDefault, recurringInvoiceIds, consent }
}
