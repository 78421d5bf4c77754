import { cents, epochMs } from '@cofre/api/schema'
import { z } from 'zod'
import { cardTokenReferenceSchema, networkTokenReferenceSchema, openCardSchema } from './card-request'
import { addressFields } from './fields/address-fields'
import { birthday, line, withExactlyOne, withRule } from './fields/body-fields'
import { documentNumber } from './fields/document-number'
import { email } from './fields/email-field'
import { phoneFields } from './fields/phone-fields'
import { eci, threeDSecureVersion } from './fields/three-d-secure-fields'
import { metadataRequestSchema } from './metadata-request'

export const customerSchema = z
  .object({
    name: line(),
    document: documentNumber(),
    email: email().optional(),
    birthdate: birthday().optional(),
    phone: z.object(phoneFields).meta({ id: 'OrderPhone' }).optional().meta({
      description: 'Cofre does not keep it: the acquirer takes no phone number.',
    }),
    address: z.object(addressFields).meta({ id: 'Address' }).optional(),
  })
  .meta({ id: 'OrderCustomer' })

const MOST = 12
const installments = () => z.int().min(1).max(MOST)

const KEPT_DATE = 'Epoch milliseconds. Cofre keeps it and does not check it.'

const FIELDS_OF_SOURCES = ['card', 'cardToken', 'networkToken']

/** Amount and installments must fit together. A count out of its bounds is a fault of its own. */
const WHOLE_CENTS = {
  code: 'MIN',
  detail: 'must leave at least one cent for each installment',
  path: ['installments'],
  holds: ({ amount, installments: count = 1 }: Record<string, unknown>) => {
    // A value that is not a number is a fault of its own too.
    if (typeof amount !== 'number' || typeof count !== 'number') return true
    return amount === 0 || count > MOST || amount >= count
  },
}

const paymentFields = withExactlyOne(
  z.object({
    paymentMethod: z.literal('CREDIT_CARD').default('CREDIT_CARD'),
    amount: cents(),
    installments: installments().default(1),
    card: openCardSchema.optional(),
    cardToken: cardTokenReferenceSchema.optional(),
    networkToken: networkTokenReferenceSchema.optional(),
    paymentLimitDate: epochMs().optional().meta({ description: KEPT_DATE }),
    dueDate: epochMs().optional().meta({ description: KEPT_DATE }),
  }),
  FIELDS_OF_SOURCES,
)
const paymentSchema = withRule(paymentFields, WHOLE_CENTS).meta({
  id: 'PaymentRequest',
  description: 'Exactly one of card, cardToken and networkToken. An installment is at least one cent.',
})

const orderAmount = () =>
  cents().meta({ description: 'Cents of BRL. 0 only verifies the card: no money moves.' })

const storedCredentialSchema = z
  .object({
    initiator: z.enum(['CUSTOMER', 'MERCHANT']).meta({
      description:
        'CUSTOMER: your customer is there and pays now. MERCHANT: your customer is absent, and you charge a card that was kept, as agreed before.',
    }),
    reason: z.enum(['RECURRING', 'INSTALLMENTS', 'UNSCHEDULED']).default('UNSCHEDULED').meta({
      description:
        'What your customer agreed to. With MERCHANT and RECURRING a payment has one installment. With CUSTOMER, RECURRING and INSTALLMENTS begin a plan: send the CVV, which Mastercard’s issuers want then.',
    }),
  })
  .meta({ id: 'StoredCredential' })

/** Optional fields of every order, whoever pays it. */
export const namingFields = {
  orderReference: line().optional().meta({
    description:
      'Your own name of the order. It need not be unique: a retry may make a second charge with it.',
  }),
  externalReference: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'Your own reference number. You can search charges by it.' }),
  metadata: metadataRequestSchema.optional(),
  notificationUrl: z
    .string()
    .max(2048)
    .optional()
    .meta({ format: 'uri', description: 'Receives every notification of the charge.' }),
  currency: z.literal('BRL').optional().meta({ description: 'Amounts are cents of BRL.' }),
}

/** Optional fields of both an order and a direct charge. */
const optionalFields = {
  ...namingFields,
  affiliateId: z.int().min(0).optional().meta({
    description: 'The number that your store is registered under. Without it, or with 0: your default store.',
  }),
  storedCredential: storedCredentialSchema.optional().meta({
    description:
      'Who begins the payment, and why: card brands require it of charges without the customer. Only for card tokens and network tokens.',
  }),
}

/** An order to authorize. Its payments add up to its amount. */
export const authorizeRequestSchema = withRule(
  z.object({
    amount: orderAmount(),
    customer: customerSchema,
    payments: z.array(paymentSchema).min(1).max(10),
    ...optionalFields,
  }),
  {
    code: 'SUM',
    detail: 'must be the sum of the amounts of the payments',
    path: ['amount'],
    holds: ({ amount, payments }) => addsUp(amount, payments),
  },
).meta({
  id: 'AuthorizeRequest',
  examples: [
    {
      orderReference: 'A-1',
      amount: 10_000,
      customer: { name: 'Ana Souza', document: '12345678909', email: 'ana@example.com' },
      payments: [
        {
          paymentMethod: 'CREDIT_CARD',
          amount: 10_000,
          installments: 3,
          cardToken: { token: 'f3a1'.repeat(16), cvv: '123' },
        },
      ],
      metadata: { cart: '77' },
    },
  ],
})

/** True also for values that can't be added: each is the fault of a single field, reported at that field. */
function addsUp(amount: unknown, payments: unknown): boolean {
  if (!Number.isSafeInteger(amount) || !Array.isArray(payments)) return true
  const amounts = payments.map((payment: { amount?: unknown } | null) => payment?.amount)
  if (!amounts.every((each) => Number.isSafeInteger(each))) return true
  return amounts.reduce<number>((sum, each) => sum + (each as number), 0) === amount
}

const dataOnlySchema = z
  .object({
    eci: eci()
      .transform((given) => given.padStart(2, '0'))
      .meta({ description: 'Mastercard 04; Visa 07.' }),
    version: threeDSecureVersion(),
    referenceId: z.guid('must be a UUID'),
    authenticationValue: line().optional(),
  })
  .meta({ id: 'DataOnly' })

const directChargeFields = withExactlyOne(
  z.object({
    amount: orderAmount(),
    installments: installments(),
    customer: customerSchema,
    card: openCardSchema.optional(),
    cardToken: cardTokenReferenceSchema.optional(),
    networkToken: networkTokenReferenceSchema.optional(),
    ...optionalFields,
    dataOnly: dataOnlySchema.optional().meta({ description: '3-D Secure Data Only: no liability shift.' }),
  }),
  FIELDS_OF_SOURCES,
)

/** A charge of exactly one card, captured at once. */
export const directChargeRequestSchema = withRule(directChargeFields, WHOLE_CENTS).meta({
  id: 'DirectChargeRequest',
  description: 'Exactly one of card, cardToken and networkToken. An installment is at least one cent.',
  examples: [
    {
      amount: 4_990,
      installments: 1,
      customer: { name: 'Ana Souza', document: '12345678909' },
      card: {
        cardNumber: '4111111111111111',
        holder: { name: 'ANA SOUZA' },
        expiration: { year: 2049, month: 12 },
        cvv: '123',
      },
    },
  ],
})
