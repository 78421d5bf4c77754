import { NO_MARKS, type Marks } from '@cofre/platform/idempotency/mark'
import { aggregateStore, type Kind } from '@cofre/platform/postgres/aggregate-store'
import type { Row } from '@cofre/platform/postgres/columns'
import { VoucherPayment as Message } from '@cofre/proto/vouchers/v1/vouchers'
import type { Payment } from '../payment/payment'
import type { Decision } from '../payment/transition'
import { PAYMENTS } from './payment-columns'
import { eventsOf, toMessage } from './payment-message'

export type PaymentKey = { sellerId: number; id: number }

type Entity = { payment: Payment }

/** Selects whole payments as `t`; the caller adds its condition. */
export const SELECT_PAYMENT = 'SELECT row_to_json(t) AS row FROM payments t'

export function paymentOf({ row }: { row: Row }): Payment {
  return PAYMENTS.fromRow(row)
}

const PAYMENT: Kind<PaymentKey, Payment, Entity, Entity, Decision, Message> = {
  name: 'voucher-payment',
  table: 'payments',
  id: 'id',
  columns: PAYMENTS,
  alsoSet: (valueOf) => `asks = CASE WHEN ${valueOf('ask_at')}::timestamptz IS NULL THEN 0 ELSE t.asks END`,
  select: SELECT_PAYMENT,
  storedOf: (row: { row: Row }) => ({ payment: paymentOf(row) }),
  valueOf: ({ payment }) => payment,
  message: Message,
  toMessage,
  eventsOf,
  marksOf,
}

function marksOf({ mark }: Decision): Marks {
  return mark ? { ...NO_MARKS, [mark.end]: [mark.operationId] } : NO_MARKS
}

export const {
  read: readPayment,
  save: savePayment,
  update: updatePayment,
  saveOutcome,
  beginOperation,
  replayOf,
} = aggregateStore(PAYMENT)
