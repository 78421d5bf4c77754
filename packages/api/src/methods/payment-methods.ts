import { MovementMethod, PaymentMethod, type AcceptedMethod } from '@cofre/proto/invoices/v1/invoices'
import { z } from 'zod'
import { enumNames } from '../schema'

export const paymentMethod = enumNames('PaymentMethod', PaymentMethod)
/** How money moved: by a method, or outside Cofre. */
export const movementMethod = enumNames('MovementMethod', MovementMethod)
export type MethodName = z.output<typeof paymentMethod.schema>

export const cardSettingsSchema = z
  .object({
    maxInstallments: z.int().min(1).max(12).optional(),
    feePassThrough: z.boolean().default(false).meta({
      description:
        'A payer who pays by card also bears the acquirer’s fee, as the operator has set it up (CARD_FEES). Without that setting, true is refused with PAYMENT_METHOD_NOT_ACCEPTED. `amountInCents` of a transaction includes the fee.',
    }),
    threeDSecure: z.boolean().default(false).meta({
      description:
        'The hosted checkout asks the card issuer to authenticate the payer before it charges the card.',
    }),
  })
  .meta({ id: 'CardSettings' })

export const boletoSettingsSchema = z
  .object({
    daysAfterDueDate: z.int().min(0).max(365).optional(),
    instructions: z.array(z.string()).default([]),
  })
  .meta({ id: 'BoletoSettings' })

export const pixSettingsSchema = z
  .object({ daysAfterDueDate: z.int().min(0).max(365).optional() })
  .meta({ id: 'PixSettings' })

/** The member of an accepted method that holds the settings of each method. */
export const SETTINGS_OF = {
  CREDIT_CARD: 'cardSettings',
  BOLETO: 'boletoSettings',
  PIX: 'pixSettings',
} as const satisfies Record<MethodName, keyof AcceptedMethod>

export type SettingsName = (typeof SETTINGS_OF)[MethodName]

const settings = {
  cardSettings: cardSettingsSchema.optional(),
  boletoSettings: boletoSettingsSchema.optional(),
  pixSettings: pixSettingsSchema.optional(),
} satisfies Record<SettingsName, z.ZodType>

/** A payment method of an invoice, as answers show it. */
export const acceptedMethodSchema = z
  .object({ method: paymentMethod.schema, ...settings })
  .meta({ id: 'AcceptedPaymentMethod' })

export function presentMethod({ method, ...given }: AcceptedMethod): z.output<typeof acceptedMethodSchema> {
  return { method: paymentMethod.nameOf(method), ...given }
}
