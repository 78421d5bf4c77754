import {
  ChargeStatus,
  DeclineAdvice,
  TransactionStatus,
  TransactionType,
  type AuthenticationEffect,
  type Charge,
  type Decline,
  type Payment,
  type Transaction,
} from '@cofre/proto/orders/v1/orders'
import { CardSource } from '@cofre/proto/vault/v1/vault'
import { z } from 'zod'
import { metadataSchema } from './metadata'
import { withPaymentAmounts } from './older-charge'
import { cents, enumNames, epochMs } from './schema'

export const chargeStatus = enumNames(ChargeStatus)
const advice = enumNames(DeclineAdvice)
const cardSource = enumNames(CardSource, 'VOUCHER_TOKEN')
const transactionType = enumNames(TransactionType)
const transactionStatus = enumNames(TransactionStatus)

export const declineSchema = z.object({
  code: z.string().meta({
    description: 'The reason for the decline. The page /docs/declines lists all codes.',
    examples: ['INSUFFICIENT_FUNDS'],
  }),
  acquirerCode: z.string().meta({ description: "The acquirer's code for it." }),
  message: z.string(),
  retryable: z.boolean().meta({ description: 'Whether the same card may be tried again.' }),
  advice: advice.schema,
})

const acquirerSchema = z.object({
  paymentId: z.string().nullable(),
  tid: z.string().nullable(),
  nsu: z.string().nullable(),
  authorizationCode: z.string().nullable(),
  returnCode: z.string().nullable(),
  orderNumber: z.string().meta({ description: 'The order number that Cofre gave the acquirer.' }),
})

export const authenticationSchema = z
  .object({
    eci: z.string().meta({ description: 'The ECI that was sent, two digits.' }),
    acquirerEci: z.string().nullable().meta({
      description: 'The ECI that the acquirer answered. It decides who bears a chargeback for fraud.',
    }),
    downgraded: z.boolean().meta({
      description:
        'You sent an ECI that shifts liability to the issuer, but the ECI that the acquirer answered does not. You bear chargebacks.',
    }),
  })
  .meta({
    id: 'AuthenticationEffect',
    description: 'How the acquirer treated the payer’s 3-D Secure authentication.',
  })

const paymentSchema = z.object({
  paymentMethod: z.literal('CREDIT_CARD'),
  amount: cents(),
  installments: z.int(),
  installmentAmounts: z.array(cents()).meta({
    description: 'What the cardholder pays each month. After a capture, the captured amount in parts.',
  }),
  status: chargeStatus.schema,
  card: z.object({ bin: z.string(), lastFour: z.string(), brand: z.string(), source: cardSource.schema }),
  acquirer: acquirerSchema,
  decline: declineSchema.nullable(),
  authentication: authenticationSchema.nullable(),
  capturedAmount: cents(),
  refundedAmount: cents(),
})

const transactionSchema = z.object({
  id: z.int(),
  type: transactionType.schema,
  status: transactionStatus.schema,
  amount: cents(),
  payment: z.int().meta({ description: 'The index of its payment in payments, from 0.' }),
  reason: z.string().nullable().meta({ description: 'Of a refund: the reason that the request gave.' }),
  failure: z
    .object({
      code: z.string().meta({ examples: ['ACQUIRER_REFUSED'] }),
      message: z.string(),
      acquirerCode: z.string().nullable(),
    })
    .nullable()
    .meta({ description: 'Why it FAILED.' }),
  createdAt: epochMs(),
  attempt: z
    .object({ source: cardSource.schema, orderNumber: z.string(), returnCode: z.string().nullable() })
    .optional()
    .meta({
      description:
        'For an authorization: what Cofre sent to the acquirer, and what the acquirer answered. A payment has two authorizations if its network token caused a decline and Cofre then tried the card.',
    }),
})

const pendingSchema = z.object({
  transactionId: z.int(),
  type: transactionType.schema,
  amount: cents(),
  payment: z.int(),
  since: epochMs(),
})

/** Sample events use it. `sampleEvent` blanks members by name; other values that could look real are null here. */
const CHARGE_EXAMPLE = {
  id: 981,
  orderReference: 'A-1',
  status: 'AUTHORIZED',
  amount: 10_000,
  authorizedAmount: 10_000,
  capturedAmount: 0,
  refundedAmount: 0,
  payments: [
    {
      paymentMethod: 'CREDIT_CARD',
      amount: 10_000,
      installments: 3,
      installmentAmounts: [3_334, 3_333, 3_333],
      status: 'AUTHORIZED',
      card: { bin: '411111', lastFour: '1111', brand: 'VISA', source: 'CARD_TOKEN' },
      acquirer: {
        paymentId: '24bc8366-fc31-4d6c-8555-17049a836a07',
        tid: '1006993069000509C28A',
        nsu: '492115',
        authorizationCode: '123456',
        returnCode: '4',
        orderNumber: 'K3J9Q0ZT5VXW8A7M2R1C',
      },
      decline: null,
      authentication: null,
      capturedAmount: 0,
      refundedAmount: 0,
    },
  ],
  metadata: { cart: '77' },
  transactions: [
    {
      id: 1,
      type: 'AUTHORIZATION',
      status: 'SUCCEEDED',
      amount: 10_000,
      payment: 0,
      reason: null,
      failure: null,
      createdAt: 1_767_225_600_000,
    },
  ],
  pendingOperations: [],
  externalReference: null,
  createdAt: 1_767_225_600_000,
  updatedAt: 1_767_225_600_412,
} as const

/** A charge as GET, every write, and `data` of a charge event show it. */
export const chargeSchema = z
  .object({
    id: z.int(),
    orderReference: z.string().nullable(),
    status: chargeStatus.schema,
    amount: cents(),
    authorizedAmount: cents(),
    capturedAmount: cents(),
    refundedAmount: cents(),
    payments: z.array(paymentSchema),
    metadata: metadataSchema,
    transactions: z.array(transactionSchema),
    pendingOperations: z.array(pendingSchema).meta({
      description:
        'Operations that the acquirer has not answered. Do not send them again: read the charge after Retry-After, or wait for the event.',
    }),
    externalReference: z.int().nullable(),
    createdAt: epochMs(),
    updatedAt: epochMs(),
  })
  .meta({ id: 'Charge', examples: [CHARGE_EXAMPLE] })

export type ChargeJson = z.output<typeof chargeSchema>

export function presentCharge(written: Charge): ChargeJson {
  const charge = withPaymentAmounts(written)
  return {
    id: charge.id,
    orderReference: charge.orderReference ?? null,
    status: chargeStatus.nameOf(charge.status),
    amount: charge.amount,
    authorizedAmount: charge.authorizedAmount,
    capturedAmount: charge.capturedAmount,
    refundedAmount: charge.refundedAmount,
    payments: charge.payments.map(presentPayment),
    metadata: charge.metadata ?? {},
    transactions: charge.transactions.map(presentTransaction),
    pendingOperations: charge.transactions.filter(isPending).map(presentPending),
    externalReference: charge.externalReference ?? null,
    createdAt: charge.createdAt,
    updatedAt: charge.updatedAt,
  }
}

function presentPayment({
  card,
  source,
  acquirer,
  decline,
  ...payment
}: Payment): ChargeJson['payments'][number] {
  return {
    paymentMethod: 'CREDIT_CARD',
    amount: payment.amount,
    installments: payment.installments,
    installmentAmounts: payment.installmentAmounts,
    status: chargeStatus.nameOf(payment.status),
    card: {
      bin: card?.bin ?? '',
      lastFour: card?.lastFour ?? '',
      brand: card?.brand ?? '',
      source: cardSource.nameOf(source),
    },
    acquirer: {
      paymentId: acquirer?.paymentId || null,
      tid: acquirer?.tid || null,
      nsu: acquirer?.nsu || null,
      authorizationCode: acquirer?.authorizationCode || null,
      returnCode: acquirer?.returnCode || null,
      orderNumber: acquirer?.orderNumber ?? '',
    },
    decline: decline ? presentDecline(decline) : null,
    authentication: presentAuthentication(payment.authentication),
    capturedAmount: payment.capturedAmount,
    refundedAmount: payment.refundedAmount,
  }
}

export function presentAuthentication(
  authentication: AuthenticationEffect | undefined,
): z.output<typeof authenticationSchema> | null {
  if (!authentication) return null
  const { eci, acquirerEci, downgraded } = authentication
  return { eci, acquirerEci: acquirerEci || null, downgraded }
}

export function presentDecline({ adviceCode: _ours, ...decline }: Decline): z.output<typeof declineSchema> {
  return { ...decline, advice: advice.nameOf(decline.advice) }
}

function isPending({ status }: Transaction): boolean {
  return status === TransactionStatus.PENDING
}

function presentPending({ id, type, amount, payment, createdAt }: Transaction) {
  return { transactionId: id, type: transactionType.nameOf(type), amount, payment, since: createdAt }
}

function presentTransaction(transaction: Transaction): ChargeJson['transactions'][number] {
  const { id, type, status, amount, createdAt, source, orderNumber, returnCode, failure } = transaction
  return {
    id,
    type: transactionType.nameOf(type),
    status: transactionStatus.nameOf(status),
    amount,
    payment: transaction.payment,
    reason: transaction.reason ?? null,
    failure: failure
      ? { code: failure.code, message: failure.message, acquirerCode: failure.acquirerCode || null }
      : null,
    createdAt,
    ...(source === CardSource.UNSPECIFIED
      ? {}
      : { attempt: { source: cardSource.nameOf(source), orderNumber, returnCode: returnCode || null } }),
  }
}
