import type { InvoiceCharge, InvoiceStatus, WholeInvoice } from '../../src/invoice/rules/invoice'

/** A Tuesday, the first day on which these invoices are late. */
export const AT = Date.parse('2026-11-24T15:00:00Z')
export const CHARGE = { id: 3, status: 'PENDING' } as InvoiceCharge

/** R$ 100.00, due on the day before AT. Its charge is made unless it is a draft. */
export function invoiceIn(status: InvoiceStatus, changes: Partial<WholeInvoice> = {}): WholeInvoice {
  const made = {
    status,
    dueDate: Date.parse('2026-11-23T15:00:00Z'),
    lateFrom: null,
    lateOn: '2026-11-24',
    amount: 10_000,
    paidAmount: 0,
    refundedAmount: 0,
    disputedAmount: 0,
    writtenOffAmount: 0,
    open: { principal: 10_000, fine: 0, interest: 0, countedTo: null },
    fine: null,
    interest: null,
    discounts: [],
    pastDueNotified: false,
    sequence: 1,
    closeDate: null,
    updatedAt: 0,
  }
  return { ...made, transactions: [], charge: status === 'OPEN' ? null : CHARGE, ...changes } as WholeInvoice
}
