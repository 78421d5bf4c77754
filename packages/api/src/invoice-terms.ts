import { z } from 'zod'
import { cents } from './schema'

/** A share in hundredths of a percent. */
export function basisPoints() {
  return z.int().min(1).max(10_000).meta({ description: 'Basis points: 200 is 2 %.' })
}

export const cardSettingsSchema = z.object({
  maxInstallments: z.int().min(1).max(12).optional(),
  feePassThrough: z.boolean().default(false).meta({
    description:
      'A payer by card also pays the acquirer’s fee, as the operator has set it up (CARD_FEES). Without that setting nothing is added. `amountInCents` of a transaction includes the fee.',
  }),
  threeDSecure: z.boolean().default(false).meta({
    description:
      'The hosted checkout asks the card issuer to authenticate the payer before it charges the card.',
  }),
})

export const boletoSettingsSchema = z.object({
  daysAfterDueDate: z.int().min(0).max(365).optional(),
  instructions: z.array(z.string()).default([]),
})

/** A payment method of an invoice, as answers show it. */
export const acceptedMethodSchema = z
  .object({
    method: z.enum(['CREDIT_CARD', 'BOLETO']),
    cardSettings: cardSettingsSchema.optional(),
    boletoSettings: boletoSettingsSchema.optional(),
  })
  .meta({ id: 'AcceptedPaymentMethod' })

/** A part of a payment for another recipient, as answers show it. */
export const splitSchema = z
  .object({
    recipientId: z.int(),
    amountInCents: cents(1).optional(),
    percentageBps: basisPoints().optional(),
    liable: z.boolean(),
    chargeProcessingFee: z.boolean(),
  })
  .meta({ id: 'InvoiceSplit' })

/** The day from which lateness costs something. */
export function startsAfterDays() {
  return z.int().min(1).max(365).meta({ description: 'Days after the due date: 1 is the day after it.' })
}

/** The fine for lateness, due once, as answers show it. */
export const fineSchema = z
  .object({
    amountInCents: cents(1).optional(),
    percentageBps: basisPoints().optional(),
    startsAfterDays: startsAfterDays(),
  })
  .meta({ id: 'InvoiceFine', description: 'Exactly one of amountInCents and percentageBps.' })

/** The interest for each day of lateness, as answers show it. */
export const interestSchema = z
  .object({
    dailyAmountInCents: cents(1).optional(),
    monthlyPercentageBps: basisPoints().optional(),
    startsAfterDays: startsAfterDays(),
  })
  .meta({
    id: 'InvoiceInterest',
    description:
      'Exactly one of dailyAmountInCents and monthlyPercentageBps. Simple interest, 1/30 of the month for each day since the due date.',
  })
