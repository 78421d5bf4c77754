import type { UnexpectedReceipt } from '@cofre/proto/invoices/v1/boletos'
import type { CloseReceiptRequest } from '@cofre/proto/invoices/v1/invoices'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { receiptMessage } from '../../receipts/receipt-message'
import { closeReceipt as close } from '../../receipts/receipt-store'
import { closingNote } from './closing-note'

/** A repeat returns the first note: no key is needed. */
export async function closeReceipt(
  { pool, log }: Deps,
  { receiptId, ...request }: CloseReceiptRequest,
): Promise<UnexpectedReceipt> {
  const { note, by } = closingNote(request)
  const receipt = await close(pool, receiptId, { note, by, at: now() })
  log.warn({ receiptId, by, reason: note }, 'receipt without a seller closed by hand')
  return receiptMessage(receipt)
}
