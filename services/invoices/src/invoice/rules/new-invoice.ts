import { amountOf } from './amount'
import type { Invoice, Item, WholeInvoice } from './invoice'
import type { Lateness } from './lateness'

/** What makes an invoice. */
export type Given = Pick<
  Invoice,
  | 'sellerId'
  | 'publicId'
  | 'invoiceNumber'
  | 'customer'
  | 'dueDate'
  | 'paymentLimitDate'
  | 'acceptedMethods'
  | 'partialPayments'
  | 'splits'
  | 'fine'
  | 'interest'
  | 'discounts'
  | 'notificationUrl'
  | 'successUrl'
  | 'recurringInvoiceId'
  | 'cycle'
> &
  Lateness &
  Partial<OfLink & Pick<Invoice, 'sellerName'>> & { items: readonly Omit<Item, 'id'>[] }

/** What an invoice has of the payment link that made it. */
export type OfLink = Pick<Invoice, 'paymentLinkProductId' | 'softDescriptor' | 'affiliateId'>

const NO_LINK: OfLink = { paymentLinkProductId: null, softDescriptor: null, affiliateId: null }

/** A new draft, before it has an id. `at`: epoch milliseconds. */
export function newInvoice({ items, ...given }: Given, at: number): WholeInvoice {
  const amount = amountOf(items)
  return {
    ...NO_LINK,
    sellerName: null,
    ...given,
    id: 0,
    status: 'OPEN',
    closeDate: null,
    paymentDate: null,
    pastDueNotified: false,
    amount,
    paidAmount: 0,
    refundedAmount: 0,
    disputedAmount: 0,
    writtenOffAmount: 0,
    open: { principal: amount, fine: 0, interest: 0, countedTo: null },
    items: items.map((item, place) => ({ ...item, id: place + 1 })),
    charge: null,
    transactions: [],
    automaticCharge: null,
    sequence: 1,
    createdAt: at,
    updatedAt: at,
  }
}
