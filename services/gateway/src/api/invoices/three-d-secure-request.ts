import { z } from 'zod'
import { withExactlyOne, withRule } from '../fields/body-fields'
import { eci, threeDSecureVersion } from '../fields/three-d-secure-fields'
import { cardPaymentFields, FIELDS_OF_CARDS } from './payment-request'

const threeDSecureSchema = z
  .object({
    authenticationValue: z
      .string()
      .regex(/^(?=.{28}$)[A-Za-z0-9+/]{26,28}={0,2}$/, 'must be 28 characters of base64')
      .optional()
      .meta({
        description: 'CAVV or AAV. Required with an ECI that shifts liability. You can use each value once.',
      }),
    eci: eci().meta({
      description: 'The values of the card brand: Visa, Elo and Amex 05, 06; Mastercard 02, 01.',
    }),
    version: threeDSecureVersion(),
    referenceId: z.guid('must be a UUID').optional().meta({ description: 'The directory server’s id.' }),
  })
  .meta({ id: 'ThreeDSecure', description: 'The result of your own authentication of the payer.' })

const fields = z.object({
  ...cardPaymentFields,
  mode: z
    .enum(['AUTHENTICATION', 'CHALLENGE'])
    .meta({ id: 'ThreeDSecureMode' })
    .default('AUTHENTICATION')
    .meta({
      description:
        'AUTHENTICATION: you send the result of your own authentication. CHALLENGE: Cofre asks the card issuer to authenticate the payer.',
    }),
  threeDSecure: threeDSecureSchema.optional(),
})

/** A payment of an invoice by a payer whom the card's issuer authenticates. */
export const threeDSecureRequestSchema = withRule(withExactlyOne(fields, FIELDS_OF_CARDS), {
  code: 'REQUIRED',
  detail: 'is required with mode AUTHENTICATION, and must be left out with mode CHALLENGE',
  path: ['threeDSecure'],
  holds: ({ mode, threeDSecure }) => (mode === 'CHALLENGE') === (threeDSecure === undefined),
}).meta({
  id: 'InvoiceThreeDSecurePayment',
  description: 'Exactly one of cardId, card, cardToken and networkToken.',
  examples: [
    {
      cardId: 41,
      installments: 3,
      mode: 'AUTHENTICATION',
      threeDSecure: { authenticationValue: 'AAABB2gHA1B5EFNjWQcDAAAAAAB=', eci: '05', version: '2.2.0' },
    },
    { cardId: 41, mode: 'CHALLENGE' },
  ],
})

export type ThreeDSecureBody = z.output<typeof threeDSecureRequestSchema>
