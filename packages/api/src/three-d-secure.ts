import { InvoiceCharge } from '@cofre/proto/invoices/v1/invoices'
import { StartAuthenticationResponse } from '@cofre/proto/invoices/v1/three_d_secure'
import { z } from 'zod'
import { invoiceChargeSchema } from './invoice'
import { INVOICE_EXAMPLE } from './invoice-example'
import { epochMs } from './schema'

/**
 * The codec of StartAuthentication's answer for an idempotency key, which keeps a challenge or, for a payment, only the
 * charge, as PayByCard keeps it. The two messages share no field numbers.
 */
export const startedAuthentication = {
  encode: (response: StartAuthenticationResponse) =>
    response.charge ? InvoiceCharge.encode(response.charge) : StartAuthenticationResponse.encode(response),
  decode: (bytes: Uint8Array): StartAuthenticationResponse => {
    const { challenge } = StartAuthenticationResponse.decode(bytes)
    return challenge
      ? { challenge, charge: undefined }
      : { challenge: undefined, charge: InvoiceCharge.decode(bytes) }
  },
}

const challengeFields = {
  challengeUrl: z.string().meta({ format: 'uri', description: 'The issuer’s page: send the payer there.' }),
  expiresAt: epochMs().meta({ description: 'The challenge ends then, if the payer has not returned.' }),
}

/** One schema for both answers: they have no member that says which it is, and generators of clients need one. */
export const threeDSecurePaymentSchema = invoiceChargeSchema
  .partial()
  .required({ invoiceId: true })
  .extend(z.object(challengeFields).partial().shape)
  .meta({
    id: 'ThreeDSecurePayment',
    description:
      'Either the charge, with all its members, or a challenge, with only invoiceId, challengeUrl and expiresAt.',
    examples: [INVOICE_EXAMPLE.charge],
  })

const challengeSchema = z.object({ invoiceId: z.int(), ...challengeFields })
export type ChallengeView = z.output<typeof challengeSchema>

export function presentChallenge({
  invoiceId,
  url,
  expiresAt,
}: NonNullable<StartAuthenticationResponse['challenge']>): ChallengeView {
  return { invoiceId, challengeUrl: url, expiresAt }
}
