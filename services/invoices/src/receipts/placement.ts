import type { Boleto } from '../boleto/boleto'
import { askedOn } from '../boleto/terms'
import { dayOf } from '../invoice/calendar-day'
import type { WholeInvoice } from '../invoice/invoice'
import { canBePaid } from '../invoice/transition'
import type { BankReceipt, ReceiptReason } from './receipt'

/** Each bank rounds fine and interest in its own way: a cent each. */
const ROUNDING_MAX = 2

/** The placement of money. `paid`: the part that the invoice takes, cents; 0 when it takes nothing. */
export type Placement = { paid: number; unexpected: number; reason: ReceiptReason | null }

/**
 * Places money that came in for a slip. The invoice takes the amount that the slip asked for on the day on which the
 * bank took it; the rest waits for a person. An invoice takes no partial payment.
 */
export function place(boleto: Boleto, invoice: WholeInvoice, { amount, paidAt }: BankReceipt): Placement {
  const none = (reason: ReceiptReason): Placement => ({ paid: 0, unexpected: amount, reason })
  if (invoice.status === 'PAID') return none('ALREADY_PAID')
  if (!canBePaid(invoice)) return none('INVOICE_VOIDED')
  const day = dayOf(paidAt)
  if (day > boleto.payableUntil) return none('AFTER_EXPIRY')
  const asked = askedOn(boleto, day)
  const rounding = day >= boleto.lateOn && asked > boleto.amount ? ROUNDING_MAX : 0
  if (Math.abs(amount - asked) <= rounding) return { paid: amount, unexpected: 0, reason: null }
  if (amount < asked) return none('UNDERPAID')
  return { paid: asked, unexpected: amount - asked, reason: 'OVERPAID' }
}
