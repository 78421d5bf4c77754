import { randomInt } from 'node:crypto'
import { cardOutcome, type Outcome } from '../acquirer/card-outcome'
import type { Faults } from '../faults'
import { IssuerKeys } from './issuer-keys'
import { IssuerRefusal } from './issuer-refusal'
import { VoucherBook } from './voucher-book'
import { authorize, type Brand, cancel, type VoucherOrder, type VoucherPayment } from './voucher-payment'

/** The state that the issuers' host, their controls and the page share. */
export type VoucherIssuers = {
  readonly faults: Faults
  readonly book: VoucherBook
  readonly keys: IssuerKeys
}

export function openVoucherIssuers({ dataDir }: { dataDir: string }, faults: Faults): VoucherIssuers {
  return { faults, book: new VoucherBook(dataDir), keys: new IssuerKeys(dataDir) }
}

export function closeVoucherIssuers({ book, keys }: VoucherIssuers): void {
  book.close()
  keys.close()
}

export type Charged = { payment: VoucherPayment; lost: boolean }

/** Makes and stores a payment, or refuses a known order number. As at the acquirer, the last digit decides. */
export function charge(
  { book }: VoucherIssuers,
  order: VoucherOrder,
  paymentId: string,
  outcome: Outcome = cardOutcome(order.cardLastFour),
): Charged {
  if (book.findByOrder(order)) throw new IssuerRefusal('DUPLICATE')
  const authorizationCode = String(randomInt(1_000_000)).padStart(6, '0')
  const payment = authorize(order, outcome, { paymentId, authorizationCode }, Date.now())
  book.save(payment)
  return { payment, lost: outcome.approved && outcome.answerLost }
}

export function findByOrder(
  { book }: VoucherIssuers,
  brand: Brand,
  merchant: string,
  orderNumber: string,
): VoucherPayment {
  return found(book.findByOrder({ brand, merchant, orderNumber }))
}

export function findById(
  { book }: VoucherIssuers,
  brand: Brand,
  merchant: string,
  paymentId: string,
): VoucherPayment {
  return found(book.findById(brand, merchant, paymentId))
}

export function cancelPayment({ book }: VoucherIssuers, payment: VoucherPayment): VoucherPayment {
  const canceled = cancel(payment, Date.now())
  if (typeof canceled === 'string') throw new IssuerRefusal(canceled)
  if (canceled !== payment) book.save(canceled)
  return canceled
}

function found(payment: VoucherPayment | undefined): VoucherPayment {
  if (!payment) throw new IssuerRefusal('NOT_FOUND')
  return payment
}
