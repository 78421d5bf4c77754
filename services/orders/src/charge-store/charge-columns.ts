import {
  assigned,
  changing,
  changingTime,
  fixed,
  fixedTime,
  named,
  table,
  type Row,
} from '@cofre/platform/postgres/columns'
import type { Charge, Payment, Transaction } from '../charge/charge'

/** The one place that names the columns of a charge. The statements of its stores are made from it. */
export const CHARGES = table<Omit<Charge, 'acquirer' | 'payments' | 'transactions'>>({
  id: assigned,
  sellerId: fixed,
  establishmentId: assigned,
  orderReference: fixed,
  externalReference: fixed,
  notificationUrl: fixed,
  status: changing,
  direct: fixed,
  amount: fixed,
  authorizedAmount: changing,
  capturedAmount: changing,
  refundedAmount: changing,
  refundReserved: changing,
  metadata: changing,
  requestId: fixed,
  version: changing,
  sequence: changing,
  askAt: changingTime,
  absentSince: changingTime,
  lookAgainAt: changingTime,
  createdAt: fixedTime,
  updatedAt: changingTime,
})

export const PAYMENTS = table<Payment>({
  position: fixed,
  orderNumber: changing,
  amount: fixed,
  installments: fixed,
  status: changing,
  capturedAmount: changing,
  refundedAmount: changing,
  // Disputes alone change it, and with it the version of the charge.
  disputedAmount: assigned,
  card: {
    fields: {
      bin: fixed,
      lastFour: fixed,
      brand: fixed,
      expirationYear: fixed,
      expirationMonth: fixed,
      holderName: fixed,
      source: named('card_source', changing),
    },
  },
  pix: {
    prefix: 'pix_',
    fields: {
      account: fixed,
      expiresAt: changingTime,
      copyAndPaste: changing,
      payerName: changing,
      payerDocument: changing,
      cancelled: changing,
    },
  },
  reference: {
    fields: {
      paymentId: named('acquirer_payment_id', changing),
      tid: changing,
      nsu: changing,
      authorizationCode: changing,
      returnCode: changing,
      eci: named('acquirer_eci', changing),
      issuerTransactionId: changing,
    },
  },
  decline: {
    prefix: 'decline_',
    fields: {
      code: changing,
      acquirerCode: changing,
      message: changing,
      retryable: changing,
      advice: changing,
      adviceCode: changing,
    },
  },
  deniedAt: changingTime,
  paymentLimitDate: fixedTime,
  dueDate: fixedTime,
  initiator: fixed,
  reason: fixed,
  exemptFromTestingGuard: fixed,
  credential: fixed,
  authentication: { prefix: 'authentication_', fields: { eci: fixed, version: fixed, valueHash: fixed } },
})

export const TRANSACTIONS = table<Transaction>({
  id: fixed,
  // A transaction that never left gives its place to another operation: all its fields then change.
  position: changing,
  type: changing,
  status: changing,
  cause: fixed,
  amount: changing,
  operationId: changing,
  dispatchDeadline: changingTime,
  reason: changing,
  endToEndId: changing,
  attempt: changing,
  resolution: changing,
  failure: changing,
  createdAt: changingTime,
})

/** A charge in PostgreSQL's JSON: rows of three tables, and the acquirer of its establishment. */
export type ChargeRows = Pick<Charge, 'acquirer'> & { charge: Row; payments: Row[]; transactions: Row[] }

export function chargeOf({ charge, acquirer, payments, transactions }: ChargeRows): Charge {
  return {
    ...CHARGES.fromRow(charge),
    acquirer,
    payments: payments.map(PAYMENTS.fromRow),
    transactions: transactions.map(TRANSACTIONS.fromRow),
  }
}
