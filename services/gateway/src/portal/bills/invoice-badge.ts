import type { InvoiceEntryJson } from '@cofre/api/invoice'
import { INVOICE_STATUSES } from '../words/invoice-words'
import type { Badge } from '../words/value'

type Shown = Pick<
  InvoiceEntryJson,
  'status' | 'pastDue' | 'paidInCents' | 'refundedInCents' | 'paymentLinkProductId'
>

/** The status of an invoice, with what a clerk looks for first: that its day has passed, or that the money went back. */
export function invoiceBadge(invoice: Shown): Badge {
  const { status, pastDue, paidInCents, refundedInCents } = invoice
  if (status === 'PAID' && refundedInCents > 0) {
    return refundedInCents < paidInCents
      ? { text: 'Paid, given back in part', mood: 'waiting' }
      : { text: 'Given back in full', mood: 'quiet' }
  }
  if (status !== 'CLOSED') return INVOICE_STATUSES[status]
  // A stranger who leaves a payment link owes nothing.
  if (invoice.paymentLinkProductId !== null && paidInCents === 0) {
    return pastDue ? { text: 'Abandoned', mood: 'quiet' } : { text: 'Purchase not finished', mood: 'waiting' }
  }
  return pastDue ? { text: 'Past due', mood: 'bad' } : INVOICE_STATUSES.CLOSED
}
