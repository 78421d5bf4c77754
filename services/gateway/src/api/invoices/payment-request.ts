import { z } from 'zod'
import { cardTokenReferenceSchema, networkTokenReferenceSchema, openCardSchema } from '../card-request'
import { withExactlyOne } from '../fields/body-fields'

/** The fields of a card payment for an invoice, with or without 3-D Secure. */
export const cardPaymentFields = {
  cardId: z.int().min(1).optional().meta({ description: 'The id of a stored card.' }),
  card: openCardSchema.optional(),
  cardToken: cardTokenReferenceSchema.optional(),
  networkToken: networkTokenReferenceSchema.optional(),
  installments: z.int().min(1).max(12).default(1).meta({
    description: 'At most the limit in the card settings of the invoice. Without a limit there, at most 12.',
  }),
  keepYourCardForAutomaticCharges: z.boolean().default(false).meta({
    description:
      'When the payment succeeds, Cofre stores this card for the customer, and you may charge it for recurring invoices. A network token cannot be stored.',
  }),
}

export const FIELDS_OF_CARDS = ['cardId', 'card', 'cardToken', 'networkToken']

/** A payment of an invoice by card. */
export const cardPaymentRequestSchema = withExactlyOne(z.object(cardPaymentFields), FIELDS_OF_CARDS).meta({
  id: 'InvoiceCardPayment',
  description: 'Exactly one of cardId, card, cardToken and networkToken.',
  examples: [
    { cardId: 41, installments: 3, keepYourCardForAutomaticCharges: true },
    { cardToken: { token: 'f3a1'.repeat(16), cvv: '123' } },
  ],
})

export type CardPaymentBody = z.output<typeof cardPaymentRequestSchema>
