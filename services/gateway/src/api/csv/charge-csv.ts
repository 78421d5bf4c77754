import { chargeStatus } from '@cofre/api/charge'
import { TransactionStatus, TransactionType, type Charge, type Payment } from '@cofre/proto/orders/v1/orders'
import { day, reais, textCell, type Columns } from './csv'

/** One payment of a charge: a statement of the acquirer has a line for each. `number`: from 1. */
export type PaymentRow = { charge: Charge; payment: Payment; number: number }

export function paymentRowsOf(charges: readonly Charge[]): PaymentRow[] {
  return charges.flatMap((charge) =>
    charge.payments.map((payment, index) => ({ charge, payment, number: index + 1 })),
  )
}

/** When the money of a payment was taken: by its capture, or by the authorization that captured at once. */
function capturedAt({ charge, payment, number }: PaymentRow): number | undefined {
  if (payment.capturedAmount === 0) return undefined
  const done = charge.transactions.filter(
    (each) => each.payment === number - 1 && each.status === TransactionStatus.SUCCEEDED,
  )
  const of = (type: TransactionType) => done.find((each) => each.type === type)?.createdAt
  return of(TransactionType.CAPTURE) ?? of(TransactionType.AUTHORIZATION)
}

/** The columns of a file of charges: one row a payment. */
export const PAYMENT_COLUMNS: Columns<PaymentRow> = [
  ['chargeId', ({ charge }) => String(charge.id)],
  ['payment', ({ number }) => String(number)],
  ['createdDate', ({ charge }) => day(charge.createdAt)],
  ['captureDate', (row) => day(capturedAt(row))],
  ['status', ({ payment }) => chargeStatus.nameOf(payment.status)],
  ['orderReference', ({ charge }) => textCell(charge.orderReference ?? '')],
  ['externalReference', ({ charge }) => String(charge.externalReference ?? '')],
  ['method', ({ payment }) => (payment.pix ? 'PIX' : 'CREDIT_CARD')],
  ['brand', ({ payment }) => textCell(payment.card?.brand ?? '')],
  ['lastFour', ({ payment }) => textCell(payment.card?.lastFour ?? '')],
  ['installments', ({ payment }) => (payment.pix ? '' : String(payment.installments))],
  ['nsu', ({ payment }) => textCell(payment.acquirer?.nsu ?? '')],
  ['tid', ({ payment }) => textCell(payment.acquirer?.tid ?? '')],
  ['authorizationCode', ({ payment }) => textCell(payment.acquirer?.authorizationCode ?? '')],
  ['endToEndId', ({ payment }) => textCell((payment.pix && payment.acquirer?.paymentId) ?? '')],
  ['txid', ({ payment }) => textCell((payment.pix && payment.acquirer?.orderNumber) ?? '')],
  ['payerName', ({ payment }) => textCell(payment.pix?.payerName ?? '')],
  ['amount', ({ payment }, dialect) => reais(payment.amount, dialect)],
  ['captured', ({ payment }, dialect) => reais(payment.capturedAmount, dialect)],
  ['refunded', ({ payment }, dialect) => reais(payment.refundedAmount, dialect)],
]
