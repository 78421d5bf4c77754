import { join } from 'node:path'
import { Journal } from '../journal'
import type { Payment } from './payment'

/** The oldest payments beyond this are forgotten at the next start. */
const PAYMENTS_MAX = 200_000

/** Every payment of the acquirer, in memory and in a journal. */
export class PaymentBook {
  private readonly payments = new Map<string, Payment>()
  private readonly idsByOrder = new Map<string, string[]>()
  private readonly journal: Journal<Payment>

  constructor(folder: string) {
    this.journal = new Journal(join(folder, 'acquirer-payments.jsonl'), ({ paymentId }) => paymentId)
    for (const payment of this.journal.open(PAYMENTS_MAX)) this.remember(payment)
  }

  save(payment: Payment): void {
    this.journal.append(payment)
    this.remember(payment)
  }

  find(merchantId: string, paymentId: string): Payment | undefined {
    const payment = this.payments.get(paymentId.toLowerCase())
    return payment?.merchantId === merchantId ? payment : undefined
  }

  /** Returns a seller's payments of an order, newest first: several may share it. */
  findByOrder(merchantId: string, merchantOrderId: string): Payment[] {
    return this.ofOrder(merchantOrderId).filter((payment) => payment.merchantId === merchantId)
  }

  /** Returns every seller's payments of an order, newest first. */
  ofOrder(merchantOrderId: string): Payment[] {
    const ids = this.idsByOrder.get(merchantOrderId) ?? []
    return ids.flatMap((id) => this.payments.get(id) ?? []).toReversed()
  }

  newest(count: number): Payment[] {
    return [...this.payments.values()].slice(-count).toReversed()
  }

  get count(): number {
    return this.payments.size
  }

  close(): void {
    this.journal.close()
  }

  private remember(payment: Payment): void {
    const { paymentId, sale } = payment
    if (!this.payments.has(paymentId)) {
      const ids = this.idsByOrder.get(sale.merchantOrderId)
      if (ids) ids.push(paymentId)
      else this.idsByOrder.set(sale.merchantOrderId, [paymentId])
    }
    this.payments.set(paymentId, payment)
  }
}
