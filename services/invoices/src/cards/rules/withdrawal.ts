import type { Transaction, WholeInvoice } from '../../invoice/rules/invoice'
import { partsGone } from '../../invoice/rules/money'
import type { Owed } from '../../invoice/rules/late-charges'
import { movement, NOTHING, sumOf, type Movement } from '../../invoice/rules/movement'
import { goingBack } from './card-payment'

/**
 * What a dispute takes back of a card payment, cents; negative when so much comes again. `held`: what the invoice, or then
 * its disputes, holds, by part. Epoch milliseconds.
 */
export type Withdrawal = { disputeId: number; change: number; held: Owed; movedAt: number; at: number }

/**
 * Applies a dispute to the payment and its invoice, which keeps its status: the customer has paid, and is asked for
 * nothing. What it takes beyond what the invoice holds is of no invoice, as with a refund.
 */
export function withdraw(
  invoice: WholeInvoice,
  transaction: Transaction,
  { disputeId, change, held, movedAt, at }: Withdrawal,
): { invoice: WholeInvoice; transaction: Transaction; movements: Movement[] } {
  const { sellerId, id: invoiceId, disputedAmount } = invoice
  const { amount, fee } = goingBack(transaction, change)
  const parts = partsGone(held, Math.abs(amount))
  const moved = sumOf(parts)
  const kind = change < 0 ? 'DISPUTE_WON' : 'DISPUTE'
  const of = { sellerId, kind, method: 'CREDIT_CARD', at: movedAt, recordedAt: at } as const
  const source = { transactionId: transaction.id, chargeId: transaction.orderChargeId, disputeId }
  const ofInvoice = { ...parts, fee: Math.abs(fee) }
  const beyond = { ...NOTHING, principal: Math.abs(amount) - moved, fee: 0 }
  const movements = [
    movement({ ...of, invoiceId }, ofInvoice, source),
    movement({ ...of, invoiceId: null }, beyond, source),
  ]
  return {
    invoice: { ...invoice, disputedAmount: disputedAmount + Math.sign(change) * moved, updatedAt: at },
    transaction: { ...transaction, disputed: transaction.disputed + change, updatedAt: at },
    movements: movements.filter((each) => each.amount > 0),
  }
}
