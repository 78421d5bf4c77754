import { DeclineAdvice } from '@cofre/proto/orders/v1/orders'
import { VoucherPaymentStatus, type VoucherPayment } from '@cofre/proto/vouchers/v1/vouchers'
import { z } from 'zod'
import { cents, enumNames, epochMs } from '../schema'
import { voucherCardFields, voucherCardType } from './voucher-card'

export const voucherPaymentStatus = enumNames('VoucherPaymentStatus', VoucherPaymentStatus)
const ADVICE = enumNames('DeclineAdvice', DeclineAdvice).schema.options

const declineSchema = z
  .object({
    code: z.string().meta({
      description: 'The reason for the decline. The page /docs/declines lists all codes.',
      examples: ['INSUFFICIENT_FUNDS'],
    }),
    issuerCode: z
      .string()
      .nullable()
      .meta({ description: "The issuer's code for it. Null: the issuer did not process the payment." }),
    message: z.string(),
    retryable: z.boolean().meta({ description: 'Whether the same card may be tried again.' }),
    advice: z.string().meta({ id: 'DeclineAdvice', enum: ADVICE }),
  })
  .meta({ id: 'VoucherDecline' })

const PAYMENT_EXAMPLE = {
  id: 3,
  referenceId: 'R-1',
  status: 'PAID',
  amount: 3_500,
  installments: 1,
  card: { cardType: 'MEAL', cardBrand: 'VR', token: 'f3a1'.repeat(16), lastFour: '1234' },
  authorizationCode: '123456',
  decline: null,
  cancellationPending: false,
  cancelFailedAt: null,
  canceledByIssuer: false,
  orderNumber: 'K3J9Q0ZT5VXW8A7M2R1C',
  createdAt: 1_767_225_600_000,
  updatedAt: 1_767_225_600_412,
} as const

/** A voucher payment as GET, every write, and `data` of its events show it. */
export const voucherPaymentSchema = z
  .object({
    id: z.int(),
    referenceId: z.string().nullable(),
    status: voucherPaymentStatus.schema,
    amount: cents(),
    installments: z.int(),
    card: z
      .object({
        ...voucherCardFields,
        token: z.string().meta({ description: 'The voucher token.' }),
        lastFour: z.string(),
      })
      .meta({ id: 'VoucherPaymentCard' }),
    authorizationCode: z
      .string()
      .nullable()
      .meta({ description: 'The code that the issuer gave when it approved the payment.' }),
    decline: declineSchema.nullable(),
    cancellationPending: z
      .boolean()
      .meta({ description: 'A cancellation was sent, and the issuer has not answered yet.' }),
    cancelFailedAt: epochMs()
      .nullable()
      .meta({ description: 'When a cancellation that was pending turned out not to have happened.' }),
    canceledByIssuer: z.boolean().meta({
      description:
        'With CANCELED: true when no request to Cofre canceled the payment. Cofre found it canceled at the issuer.',
    }),
    orderNumber: z.string().meta({ description: 'The order number that Cofre gave the issuer.' }),
    createdAt: epochMs(),
    updatedAt: epochMs(),
  })
  .meta({ id: 'VoucherPayment', examples: [PAYMENT_EXAMPLE] })

export type VoucherPaymentJson = z.output<typeof voucherPaymentSchema>

export function presentVoucherPayment(payment: VoucherPayment): VoucherPaymentJson {
  const { cardType, cardBrand, token, lastFour, decline } = payment
  return {
    id: payment.id,
    referenceId: payment.referenceId || null,
    status: voucherPaymentStatus.nameOf(payment.status),
    amount: payment.amount,
    installments: payment.installments,
    card: { cardType: voucherCardType.nameOf(cardType), cardBrand, token, lastFour },
    authorizationCode: payment.authorizationCode || null,
    decline: decline ? { ...decline, issuerCode: decline.issuerCode || null } : null,
    cancellationPending: payment.cancellationPending,
    cancelFailedAt: payment.cancelFailedAt ?? null,
    canceledByIssuer: payment.canceledByIssuer,
    orderNumber: payment.orderNumber,
    createdAt: payment.createdAt,
    updatedAt: payment.updatedAt,
  }
}
