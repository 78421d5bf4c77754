import { assigned, changing, changingTime, fixed, fixedTime, table } from '@cofre/platform/postgres/columns'
import type { Receipt } from './receipt'

/** The one place that names the columns of a receipt. */
export const RECEIPTS = table<Receipt>({
  id: assigned,
  sellerId: fixed,
  method: fixed,
  account: fixed,
  bankId: fixed,
  askNumber: fixed,
  askId: fixed,
  invoiceId: fixed,
  payer: { prefix: 'payer_', fields: { name: fixed, document: fixed } },
  amount: fixed,
  unexpected: fixed,
  openAmount: changing,
  returningAmount: changing,
  reason: fixed,
  paidAt: fixedTime,
  resolvedAt: changingTime,
  outcome: changing,
  resolution: changing,
  resolvedBy: changing,
  events: changing,
  createdAt: fixedTime,
})
