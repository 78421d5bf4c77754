import { join } from 'node:path'
import { Journal } from '../journal'
import type { Brand, VoucherPayment } from './voucher-payment'

/** The oldest payments beyond this are forgotten at the next start. */
const PAYMENTS_MAX = 200_000

type OrderKey = Pick<VoucherPayment, 'brand' | 'merchant' | 'orderNumber'>

/** Every payment of the voucher issuers, in memory and in a journal. A seller's order number has one payment. */
export class VoucherBook {
  private readonly payments = new Map<string, VoucherPayment>()
  private readonly ordersById = new Map<string, string>()
  private readonly journal: Journal<VoucherPayment>

  constructor(folder: string) {
    this.journal = new Journal(join(folder, 'voucher-payments.jsonl'), (payment) => keyOf(payment))
    for (const payment of this.journal.open(PAYMENTS_MAX)) this.remember(payment)
  }

  save(payment: VoucherPayment): void {
    this.journal.append(payment)
    this.remember(payment)
  }

  findByOrder(order: OrderKey): VoucherPayment | undefined {
    return this.payments.get(keyOf(order))
  }

  findById(brand: Brand, merchant: string, paymentId: string): VoucherPayment | undefined {
    const payment = this.get(paymentId)
    return payment?.brand === brand && payment.merchant === merchant ? payment : undefined
  }

  /** Returns a payment of any issuer and seller. */
  get(paymentId: string): VoucherPayment | undefined {
    return this.payments.get(this.ordersById.get(paymentId) ?? '')
  }

  /** Returns all payments with an order number, newest first, of every issuer and seller. */
  ofOrder(orderNumber: string): VoucherPayment[] {
    return [...this.payments.values()].filter((payment) => payment.orderNumber === orderNumber).toReversed()
  }

  newest(count: number): VoucherPayment[] {
    return [...this.payments.values()].slice(-count).toReversed()
  }

  get count(): number {
    return this.payments.size
  }

  close(): void {
    this.journal.close()
  }

  private remember(payment: VoucherPayment): void {
    this.payments.set(keyOf(payment), payment)
    this.ordersById.set(payment.paymentId, keyOf(payment))
  }
}

function keyOf({ brand, merchant, orderNumber }: OrderKey): string {
  return `${brand} ${merchant} ${orderNumber}`
}
