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
import { CHARGE_EXAMPLE } from './charge-example'
import { chargePixSchema, presentChargePix } from './methods/charge-pix'
import { chargeLinks, chargeLinksSchema } from './charge-links'
import { metadataSchema } from './metadata'
import { cents, enumNames, epochMs } from './schema'

export const chargeStatus = enumNames('ChargeStatus', ChargeStatus)
const advice = enumNames('DeclineAdvice', DeclineAdvice)
const cardSource = enumNames('CardSource', CardSource, 'VOUCHER_TOKEN')
const transactionType = enumNames('TransactionType', TransactionType)
const transactionStatus = enumNames('TransactionStatus', TransactionStatus)

export const declineSchema = z
  .object({
    code: z.string().meta({
      description: 'The reason for the decline. The page /docs/declines lists all codes.',
      examples: ['INSUFFICIENT_FUNDS'],
    }),
    acquirerCode: z.string().meta({ description: "The acquirer's code for it." }),
    message: z.string(),
    retryable: z.boolean().meta({ description: 'Whether the same card may be tried again.' }),
    advice: advice.schema,
  })
  .meta({ id: 'Decline' })

const acquirerSchema = z
  .object({
    paymentId: z.string().nullable(),
    tid: z.string().nullable(),
    nsu: z.string().nullable(),
    authorizationCode: z.string().nullable(),
    returnCode: z.string().nullable(),
    orderNumber: z.string().meta({ description: 'The order number that Cofre gave the acquirer.' }),
  })
  .meta({ id: 'PaymentAcquirer' })

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

const paymentSchema = z
  .object({
    paymentMethod: z.enum(['CREDIT_CARD', 'PIX']),
    amount: cents(),
    installments: z.int(),
    installmentAmounts: z.array(cents()).meta({
      description: 'What the cardholder pays each month. After a capture, the captured amount in parts.',
    }),
    status: chargeStatus.schema,
    card: z
      .object({ bin: z.string(), lastFour: z.string(), brand: z.string(), source: cardSource.schema })
      .meta({ id: 'PaymentCard' })
      .nullable()
      .meta({ description: 'null: a Pix pays.' }),
    pix: chargePixSchema.nullable().meta({ description: 'null: a card pays.' }),
    acquirer: acquirerSchema.meta({
      description: 'Of a Pix: the end-to-end id as paymentId, and the txid as orderNumber.',
    }),
    decline: declineSchema.nullable(),
    authentication: authenticationSchema.nullable(),
    capturedAmount: cents(),
    refundedAmount: cents(),
  })
  .meta({ id: 'Payment' })

const transactionSchema = z
  .object({
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
      .meta({ id: 'TransactionFailure' })
      .nullable()
      .meta({ description: 'Why it FAILED.' }),
    madeByAcquirer: z.boolean().meta({
      description:
        'True when no request to Cofre made it: somebody gave the money back at the acquirer, for example in its portal. Cofre found it there.',
    }),
    endToEndId: z.string().optional().meta({
      description:
        'Of a VOID: the Pix that came besides the one that paid, or after the end of the charge. Cofre gives it back.',
    }),
    createdAt: epochMs(),
    attempt: z
      .object({ source: cardSource.schema, orderNumber: z.string(), returnCode: z.string().nullable() })
      .meta({ id: 'AuthorizationAttempt' })
      .optional()
      .meta({
        description:
          'For an authorization: what Cofre sent to the acquirer, and what the acquirer answered. A payment has two authorizations if its network token caused a decline and Cofre then tried the card.',
      }),
  })
  .meta({ id: 'Transaction' })

const pendingSchema = z
  .object({
    transactionId: z.int(),
    type: transactionType.schema,
    amount: cents(),
    payment: z.int(),
    since: epochMs(),
  })
  .meta({ id: 'PendingOperation' })

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
    disputedAmount: cents().meta({
      description:
        'Cents of BRL that card holders have taken back through their issuers: refunds leave it alone.',
    }),
    payments: z.array(paymentSchema),
    metadata: metadataSchema,
    transactions: z.array(transactionSchema),
    pendingOperations: z.array(pendingSchema).meta({
      description:
        'Operations that the acquirer has not answered. Do not send them again: read the charge after Retry-After, or wait for the event.',
    }),
    externalReference: z.int().nullable(),
    requestId: z
      .string()
      .nullable()
      .meta({ description: 'The request that made the charge. null: it pays an invoice.' }),
    links: chargeLinksSchema,
    createdAt: epochMs(),
    updatedAt: epochMs(),
  })
  .meta({ id: 'Charge', examples: [CHARGE_EXAMPLE] })

export type ChargeJson = z.output<typeof chargeSchema>

/** A charge as its seller reads it. `baseUrl`: of its links. */
export function presentCharge(charge: Charge, baseUrl: string): ChargeJson {
  return { ...chargeFacts(charge, baseUrl), links: chargeLinks(charge, baseUrl) }
}

/** A charge without its links. `baseUrl`: of its QR codes. */
export function chargeFacts(charge: Charge, baseUrl: string): Omit<ChargeJson, 'links'> {
  return {
    id: charge.id,
    orderReference: charge.orderReference ?? null,
    status: chargeStatus.nameOf(charge.status),
    amount: charge.amount,
    authorizedAmount: charge.authorizedAmount,
    capturedAmount: charge.capturedAmount,
    refundedAmount: charge.refundedAmount,
    disputedAmount: charge.disputedAmount,
    payments: charge.payments.map((payment) => presentPayment(payment, baseUrl)),
    metadata: charge.metadata ?? {},
    transactions: charge.transactions.map(presentTransaction),
    pendingOperations: charge.transactions.filter(isPending).map(presentPending),
    externalReference: charge.externalReference ?? null,
    requestId: charge.requestId ?? null,
    createdAt: charge.createdAt,
    updatedAt: charge.updatedAt,
  }
}

function presentPayment(
  { card, source, acquirer, decline, ...payment }: Payment,
  baseUrl: string,
): ChargeJson['payments'][number] {
  return {
    paymentMethod: payment.pix ? 'PIX' : 'CREDIT_CARD',
    amount: payment.amount,
    installments: payment.installments,
    installmentAmounts: payment.installmentAmounts,
    status: chargeStatus.nameOf(payment.status),
    card: card
      ? {
          bin: card.bin,
          lastFour: card.lastFour,
          brand: card.brand,
          source: cardSource.nameOf(source),
        }
      : null,
    pix: presentChargePix({ pix: payment.pix, acquirer }, baseUrl),
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
    madeByAcquirer: transaction.madeByAcquirer,
    ...(transaction.endToEndId !== undefined && { endToEndId: transaction.endToEndId }),
    createdAt,
    ...(source === CardSource.UNSPECIFIED
      ? {}
      : { attempt: { source: cardSource.nameOf(source), orderNumber, returnCode: returnCode || null } }),
  }
}
