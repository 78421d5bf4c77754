import type { Db } from '@cofre/platform/postgres/postgres'
import type { WholeInvoice } from './rules/invoice'
import { beginPaying, canBePaid } from './rules/transition'
import { awaitsFinalizing, lockInvoice, saveLocked, type Saving } from './store/invoice-store'

/**
 * Makes an invoice payable, in the transaction in which the caller has locked it. An OPEN one is finalized, and one
 * without a charge gets one. FAILED_PRECONDITION INVALID_INVOICE_STATE when it can't take money.
 */
export async function makePayable(
  deps: Saving,
  tx: Db,
  invoice: WholeInvoice,
  at: number,
): Promise<WholeInvoice> {
  const decision = beginPaying(invoice, at)
  return decision ? saveLocked(deps, tx, decision) : invoice
}

/** Finalizes the invoice of an ask that may be at the bank, unless it is finalized, or nobody can pay it any more. */
export async function finalizeDraft(
  deps: Saving,
  tx: Db,
  { sellerId, invoiceId }: { sellerId: number; invoiceId: number },
  at: number,
): Promise<void> {
  if (!(await awaitsFinalizing(tx, invoiceId))) return
  const invoice = await lockInvoice(tx, { sellerId, id: invoiceId })
  const isDraft = invoice.status === 'OPEN' || (canBePaid(invoice) && !invoice.charge)
  if (isDraft) await makePayable(deps, tx, invoice, at)
}
