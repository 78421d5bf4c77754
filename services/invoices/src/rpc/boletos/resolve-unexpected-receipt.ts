import type { ResolveUnexpectedReceiptRequest, UnexpectedReceipt } from '@cofre/proto/invoices/v1/boletos'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { receiptMessage } from '../../receipts/receipt-message'
import { resolveReceipt } from '../../receipts/receipt-store'
import { fault, throwFaults } from '../request-check'

const NOTE_MAX = 2_000

/** A repeat returns the first note: no key is needed. */
export async function resolveUnexpectedReceipt(
  { pool, log }: Deps,
  { sellerId, receiptId: id, note }: ResolveUnexpectedReceiptRequest,
): Promise<UnexpectedReceipt> {
  if (note.length < 1 || note.length > NOTE_MAX) {
    throwFaults([fault('#/note', 'LENGTH', `must have 1 to ${NOTE_MAX} characters`)])
  }
  const receipt = await resolveReceipt(pool, { sellerId, id }, { note, at: now() })
  log.info({ sellerId, receiptId: id }, 'unexpected receipt resolved')
  return receiptMessage(receipt)
}
