import { DomainError } from '@cofre/platform/errors'
import type { WholeInvoice } from './invoice'
import { isPastDue } from './lateness'
import { newInvoice, type Given, type OfLink } from './new-invoice'
import { invalidState, isBeingPaid, notified, paymentPending, type Decision } from './transition'

/**
 * What a replacement finds. `isAsked`: a bank may be registering an ask. `readAt`: the `updatedAt` that the caller has
 * seen; undefined: any.
 */
export type Found = { isAsked: boolean; readAt: number | undefined }

/**
 * Throws unless an invoice may be replaced: FAILED_PRECONDITION INVALID_INVOICE_STATE unless it is a draft; CONFLICT
 * PAYMENT_PENDING while somebody pays what the draft says now, INVOICE_CHANGED where the caller has not seen that.
 */
export function checkReplaceable(invoice: WholeInvoice, { isAsked, readAt }: Found): void {
  if (invoice.status !== 'OPEN') throw invalidState(invoice, 'replace')
  if (isAsked || isBeingPaid(invoice)) throw paymentPending()
  if (readAt === undefined || readAt === invoice.updatedAt) return
  const message = 'Somebody changed the invoice after you opened it. Open it again to see the change.'
  throw new DomainError('conflict', 'INVOICE_CHANGED', message)
}

/** What a replacement gives. The names of the invoice, and what had it made, stay. */
export type Replacement = Omit<
  Given,
  'sellerId' | 'publicId' | 'invoiceNumber' | 'recurringInvoiceId' | 'cycle' | keyof OfLink
>

/** Replaces a draft as a whole. `now`: epoch milliseconds. */
export function replaceDraft(draft: WholeInvoice, given: Replacement, now: number): Decision {
  // Each change has a time of its own, by which readers tell it from the one before.
  const at = Math.max(now, draft.updatedAt + 1)
  const { id, transactions, automaticCharge, sequence, createdAt } = draft
  const kept = { id, transactions, automaticCharge, sequence, createdAt }
  const changed = { ...newInvoice({ ...draft, ...given }, at), ...kept }
  const pastDueNotified = draft.pastDueNotified && isPastDue(changed, at)
  const invoice = notified({ ...changed, pastDueNotified }, at)
  return { invoice, event: 'invoice.updated', charge: undefined }
}
