import { assigned, changing, changingTime, fixed, fixedTime, table } from '@cofre/platform/postgres/columns'
import type { Payment } from '../payment/payment'

/** The one place that names the columns of a payment; the statements of its stores are made from it. */
export const PAYMENTS = table<Payment>({
  id: assigned,
  sellerId: fixed,
  token: fixed,
  cardType: fixed,
  brand: fixed,
  bin: fixed,
  lastFour: fixed,
  account: fixed,
  referenceId: fixed,
  amount: fixed,
  status: changing,
  orderNumber: fixed,
  issuerPaymentId: changing,
  authorizationCode: changing,
  decline: {
    prefix: 'decline_',
    fields: {
      code: changing,
      issuerCode: changing,
      message: changing,
      retryable: changing,
      advice: changing,
    },
  },
  deniedAt: changingTime,
  operation: {
    fields: {
      type: { name: 'operation_type', changes: true },
      id: { name: 'operation_id', changes: true },
      dispatchDeadline: changingTime,
      since: { name: 'operation_since', changes: true, time: true },
    },
  },
  resolutions: changing,
  version: changing,
  sequence: changing,
  askAt: changingTime,
  absentSince: changingTime,
  lookAgainAt: changingTime,
  paidAt: changingTime,
  cancelFailedAt: changingTime,
  canceledByIssuer: changing,
  createdAt: fixedTime,
  updatedAt: changingTime,
})
