import { voucherCardType } from '@cofre/api/vouchers/voucher-card'
import { cents } from '@cofre/api/schema'
import { z } from 'zod'
import { holderSchema, sealedCard, sealedCvv } from '../card-request'
import { line, tokenText } from '../fields/body-fields'
import { documentNumber } from '../fields/document-number'

/** A voucher brand in a request. The service refuses a brand that this deployment does not have. */
export function brandName() {
  return z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,31}$/, 'must be a voucher brand in upper case')
    .meta({ description: 'In upper case: see GET /api/v2/vouchers/brands.', examples: ['ALELO'] })
}

const cvv = () => z.string().optional().meta({ description: '3 or 4 digits; never stored.' })

// A document that requires the fields of the open form would refuse the encrypted one.
const OPEN_OR_ENCRYPTED = {
  required: ['cardType', 'cardBrand'],
  description:
    'Either encryptedCard, or cardNumber with expires and holder. A cvv may stand beside cardNumber.',
}

/** A voucher card to store. */
export const voucherTokenRequestSchema = z
  .object({
    cardType: voucherCardType.schema,
    cardBrand: brandName(),
    cardNumber: z.string().meta({ description: '12 to 19 digits.' }),
    cvv: cvv(),
    expires: z
      .object({
        month: z.int().min(1).max(12),
        year: z.int().min(0).max(99).meta({ description: 'Two digits: 49 means 2049.' }),
      })
      .meta({
        id: 'VoucherExpirationRequest',
        description: 'A card is valid through the last day of this month.',
      }),
    holder: holderSchema,
    encryptedCard: sealedCard('cardNumber, expires and holder'),
  })
  .meta({
    id: 'VoucherTokenRequest',
    ...OPEN_OR_ENCRYPTED,
    examples: [
      {
        cardType: 'MEAL',
        cardBrand: 'VR',
        cardNumber: '6370361234567890',
        expires: { month: 12, year: 49 },
        holder: { name: 'ANA SOUZA', document: '12345678909' },
      },
    ],
  })

/** A request for the holder's authorization at a brand. */
export const voucherRedirectRequestSchema = z
  .object({
    notificationUrl: z
      .string()
      .max(200)
      .meta({ format: 'uri', description: 'http or https; receives the outcome, a voucher token.' }),
    cardType: voucherCardType.schema,
    cardReference: line(36).optional().meta({ description: 'Your own reference for the card.' }),
  })
  .meta({
    id: 'VoucherRedirectRequest',
    examples: [
      {
        notificationUrl: 'https://shop.example.com/hooks/vouchers',
        cardType: 'MEAL',
        cardReference: 'C-1',
      },
    ],
  })

/** An immediate payment with a voucher token. */
export const voucherPaymentRequestSchema = z
  .object({
    amount: cents(1),
    installments: z.int().min(0).max(12).default(1).meta({
      description:
        'Vouchers have no installments: send 0 or 1. More is refused with INSTALLMENTS_NOT_ALLOWED.',
    }),
    referenceId: line()
      .optional()
      .meta({ description: 'Your own reference. You can search payments by it.' }),
    card: z
      .object({
        cardType: voucherCardType.schema,
        cardBrand: brandName(),
        token: tokenText().meta({ description: 'The voucher token.' }),
        cvv: cvv(),
        encryptedCvv: sealedCvv(),
      })
      .meta({ id: 'VoucherCardReference' }),
    customer: z
      .object({ document: documentNumber(), name: line().optional() })
      .meta({ id: 'VoucherCustomer' }),
  })
  .meta({
    id: 'VoucherPaymentRequest',
    examples: [
      {
        amount: 3_500,
        installments: 1,
        referenceId: 'R-1',
        card: { cardType: 'MEAL', cardBrand: 'VR', token: 'f3a1'.repeat(16) },
        customer: { document: '12345678909', name: 'Ana Souza' },
      },
    ],
  })
