import {
  TransactionStatus,
  TransactionType,
  type Charge,
  type Transaction,
} from '@cofre/proto/orders/v1/orders'

/** The operations on a payment so far, in cents. */
type Moved = { orderNumber: string; amount: number; captured: number; refunded: number; voided: boolean }

/**
 * Completes a charge that an older version wrote into an event or a kept answer. That version did not record the
 * payment of each transaction, nor the captured and refunded amount of each payment. Both follow from the
 * transactions, because an operation takes the payments in order. Every other charge stays as it is.
 */
export function withPaymentAmounts(charge: Charge): Charge {
  if (saysOfPayments(charge)) return charge
  const moved = charge.payments.map(({ acquirer, amount }): Moved => ({
    orderNumber: acquirer?.orderNumber ?? '',
    amount,
    captured: 0,
    refunded: 0,
    voided: false,
  }))
  const transactions: Transaction[] = []
  for (const transaction of charge.transactions) {
    const payment = placeOf(transaction, moved, transactions.at(-1))
    transactions.push({ ...transaction, payment })
    const one = moved[payment]
    if (one && transaction.status === TransactionStatus.SUCCEEDED) note(transaction, one)
  }
  const payments = charge.payments.map((payment, at) => ({
    ...payment,
    capturedAmount: moved[at]?.captured ?? 0,
    refundedAmount: moved[at]?.refunded ?? 0,
  }))
  return { ...charge, payments, transactions }
}

function saysOfPayments({ payments, transactions, capturedAmount, refundedAmount }: Charge): boolean {
  return (
    payments.reduce((sum, payment) => sum + payment.capturedAmount, 0) === capturedAmount &&
    payments.reduce((sum, payment) => sum + payment.refundedAmount, 0) === refundedAmount &&
    (payments.length < 2 || transactions.some(({ payment }) => payment > 0))
  )
}

/** The index of a transaction's payment; `before` is the transaction before it. */
function placeOf(transaction: Transaction, moved: readonly Moved[], before: Transaction | undefined): number {
  const { id, type, createdAt } = transaction
  if (type === TransactionType.AUTHORIZATION) {
    const at = moved.findIndex(({ orderNumber }) => orderNumber === transaction.orderNumber)
    // A payment that was sent again has another order number. The first transactions follow the order of payments.
    return at >= 0 ? at : Math.min(id, moved.length) - 1
  }
  const isOfOneRequest = before?.type === type && before.createdAt === createdAt
  const from = isOfOneRequest ? before.payment + 1 : 0
  const at = moved.findIndex((one, place) => place >= from && isOpenTo(transaction, one))
  return Math.max(at, 0)
}

function isOpenTo({ type, amount }: Transaction, one: Moved): boolean {
  if (type === TransactionType.REFUND) return one.captured - one.refunded >= amount
  const isHeld = one.captured === 0 && !one.voided
  return isHeld && (type === TransactionType.VOID ? one.amount === amount : one.amount >= amount)
}

function note({ type, amount }: Transaction, one: Moved): void {
  if (type === TransactionType.CAPTURE) one.captured += amount
  if (type === TransactionType.REFUND) one.refunded += amount
  if (type === TransactionType.VOID) one.voided = true
}
