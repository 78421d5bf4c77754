import type { Card, Charge, ChargeStatus, Payment, Transaction } from '../charge/charge'
import type { Decline } from '../charge/decline'

type PaymentRow = ReturnType<typeof paymentRow>
type TransactionRow = ReturnType<typeof transactionRow>

/** A charge as PostgreSQL writes it in JSON: rows of three tables. */
export type ChargeRows = {
  charge: ReturnType<typeof chargeRow>
  payments: PaymentRow[]
  transactions: TransactionRow[]
}

export function chargeRow(charge: Charge) {
  return {
    id: charge.id,
    seller_id: charge.sellerId,
    establishment_id: charge.establishmentId,
    order_reference: charge.orderReference,
    external_reference: charge.externalReference,
    notification_url: charge.notificationUrl,
    status: charge.status as string,
    direct: charge.direct,
    amount: charge.amount,
    authorized_amount: charge.authorizedAmount,
    captured_amount: charge.capturedAmount,
    refunded_amount: charge.refundedAmount,
    refund_reserved: charge.refundReserved,
    metadata: charge.metadata,
    version: charge.version,
    sequence: charge.sequence,
    ask_at: isoTime(charge.askAt),
    created_at: new Date(charge.createdAt).toISOString(),
    updated_at: new Date(charge.updatedAt).toISOString(),
  }
}

export function paymentRow({ id, sellerId }: Charge, payment: Payment) {
  const { card, reference, decline } = payment
  return {
    charge_id: id,
    position: payment.position,
    seller_id: sellerId,
    order_number: payment.orderNumber,
    amount: payment.amount,
    installments: payment.installments,
    status: payment.status as string,
    captured_amount: payment.capturedAmount,
    refunded_amount: payment.refundedAmount,
    bin: card.bin,
    last_four: card.lastFour,
    brand: card.brand,
    expiration_year: card.expirationYear,
    expiration_month: card.expirationMonth,
    holder_name: card.holderName,
    card_source: card.source as string,
    acquirer_payment_id: reference.paymentId,
    tid: reference.tid,
    nsu: reference.nsu,
    authorization_code: reference.authorizationCode,
    return_code: reference.returnCode,
    decline_code: decline?.code ?? null,
    decline_acquirer_code: decline?.acquirerCode ?? null,
    decline_message: decline?.message ?? null,
    decline_retryable: decline?.retryable ?? null,
    decline_advice: (decline?.advice as string | undefined) ?? null,
    denied_at: isoTime(payment.deniedAt),
    payment_limit_date: isoTime(payment.paymentLimitDate),
    due_date: isoTime(payment.dueDate),
  }
}

export function transactionRow({ id }: Charge, transaction: Transaction) {
  return {
    charge_id: id,
    id: transaction.id,
    position: transaction.position,
    type: transaction.type as string,
    status: transaction.status as string,
    cause: transaction.cause as string,
    amount: transaction.amount,
    operation_id: transaction.operationId,
    dispatch_deadline: isoTime(transaction.dispatchDeadline),
    reason: transaction.reason,
    attempt: transaction.attempt,
    created_at: new Date(transaction.createdAt).toISOString(),
  }
}

export function chargeOf({ charge: row, payments, transactions }: ChargeRows): Charge {
  return {
    id: row.id,
    sellerId: row.seller_id,
    establishmentId: row.establishment_id,
    orderReference: row.order_reference,
    externalReference: row.external_reference,
    notificationUrl: row.notification_url,
    status: row.status as ChargeStatus,
    direct: row.direct,
    amount: row.amount,
    authorizedAmount: row.authorized_amount,
    capturedAmount: row.captured_amount,
    refundedAmount: row.refunded_amount,
    refundReserved: row.refund_reserved,
    payments: payments.map(paymentOf),
    transactions: transactions.map(transactionOf),
    metadata: row.metadata,
    version: row.version,
    sequence: row.sequence,
    askAt: epochTime(row.ask_at),
    createdAt: Date.parse(row.created_at),
    updatedAt: Date.parse(row.updated_at),
  }
}

function paymentOf(row: PaymentRow): Payment {
  return {
    position: row.position,
    orderNumber: row.order_number,
    amount: row.amount,
    installments: row.installments,
    status: row.status as ChargeStatus,
    capturedAmount: row.captured_amount,
    refundedAmount: row.refunded_amount,
    card: {
      bin: row.bin,
      lastFour: row.last_four,
      brand: row.brand,
      expirationYear: row.expiration_year,
      expirationMonth: row.expiration_month,
      holderName: row.holder_name,
      source: row.card_source as Card['source'],
    },
    reference: {
      paymentId: row.acquirer_payment_id,
      tid: row.tid,
      nsu: row.nsu,
      authorizationCode: row.authorization_code,
      returnCode: row.return_code,
    },
    decline: declineOf(row),
    deniedAt: epochTime(row.denied_at),
    paymentLimitDate: epochTime(row.payment_limit_date),
    dueDate: epochTime(row.due_date),
  }
}

function declineOf(row: PaymentRow): Decline | null {
  if (row.decline_code === null) return null
  return {
    code: row.decline_code,
    acquirerCode: row.decline_acquirer_code ?? '',
    message: row.decline_message ?? '',
    retryable: row.decline_retryable ?? false,
    advice: row.decline_advice as Decline['advice'],
  }
}

function transactionOf(row: TransactionRow): Transaction {
  return {
    id: row.id,
    position: row.position,
    type: row.type as Transaction['type'],
    status: row.status as Transaction['status'],
    cause: row.cause as Transaction['cause'],
    amount: row.amount,
    operationId: row.operation_id,
    dispatchDeadline: epochTime(row.dispatch_deadline),
    reason: row.reason,
    attempt: row.attempt,
    createdAt: Date.parse(row.created_at),
  }
}

function isoTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString()
}

function epochTime(iso: string | null): number | null {
  return iso === null ? null : Date.parse(iso)
}
