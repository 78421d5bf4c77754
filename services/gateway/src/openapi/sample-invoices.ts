import type { InvoiceEventType, RecurringInvoiceEventType } from '@cofre/api/events'
import { invoiceSchema, type InvoiceJson } from '@cofre/api/invoice'
import { recurringSchema } from '@cofre/api/recurring-invoice'

type Charge = NonNullable<InvoiceJson['charge']>

const [DECLINED] = (invoiceSchema.meta()?.examples ?? []) as [InvoiceJson]
const [ATTEMPT] = DECLINED.transactions as [InvoiceJson['transactions'][number]]
const CHARGE = { ...(DECLINED.charge as Charge), transactions: [] }
const DUE = DECLINED.dueDate
const DAY_MS = 86_400_000

/** A new draft. */
export const DRAFT: InvoiceJson = {
  ...DECLINED,
  status: 'OPEN',
  closeDate: null,
  charge: null,
  transactions: [],
  automaticCharge: null,
  updatedAt: DECLINED.createdAt,
}

const CLOSED: InvoiceJson = { ...DECLINED, charge: CHARGE, transactions: [], automaticCharge: null }
const PAYMENT = { ...ATTEMPT, status: 'SUCCEEDED', decline: null } as const

/** An invoice paid by card. */
export const PAID: InvoiceJson = {
  ...CLOSED,
  status: 'PAID',
  paymentDate: PAYMENT.createdAt + 1_000,
  payableInCents: 0,
  paidInCents: PAYMENT.amountInCents,
  charge: { ...CHARGE, status: 'PAID', method: 'CREDIT_CARD', transactions: [PAYMENT] },
  transactions: [PAYMENT],
  updatedAt: PAYMENT.createdAt + 1_000,
}

/** An invoice right after each of its events. */
export const INVOICE_SAMPLES: Readonly<Record<InvoiceEventType, InvoiceJson>> = {
  'invoice.created': DRAFT,
  'invoice.finalized': CLOSED,
  'invoice.paid': PAID,
  'invoice.payment_failed': { ...DECLINED, recurringInvoiceId: 12, cycle: 1 },
  'invoice.voided': {
    ...CLOSED,
    status: 'CANCELLED',
    payableInCents: 0,
    charge: { ...CHARGE, status: 'CANCELLED' },
  },
  'invoice.uncollectible': { ...CLOSED, status: 'UNCOLLECTIBLE' },
  // One day late: a fine of 2 % once, and interest of 1/30 of 1 %.
  'invoice.past_due': {
    ...CLOSED,
    pastDue: true,
    fineInCents: 200,
    interestInCents: 3,
    payableInCents: 10_203,
    updatedAt: DUE + DAY_MS,
  },
}

type Recurring = {
  billingCycleStartDate: number
  daysUntilDue: number
  createdAt: number
  recurringItems: object[]
}
const [BILLED] = (recurringSchema.meta()?.examples ?? []) as [Recurring]

/** A recurring invoice before its first cycle. */
export const NEW_RECURRING: object = {
  ...BILLED,
  cyclesBilled: 0,
  nextCycleDate: BILLED.billingCycleStartDate,
  nextCycleDueDate: BILLED.billingCycleStartDate + BILLED.daysUntilDue * DAY_MS,
  updatedAt: BILLED.createdAt,
}

/** A booklet: all its invoices are made at once. */
export const BOOKLET: object = {
  ...BILLED,
  status: 'FINISHED',
  kind: 'BOOKLET',
  collectionMethod: 'SEND_INVOICE',
  nextCycleDate: null,
  nextCycleDueDate: null,
  cyclesBilled: 12,
  chargesByBooklet: 12,
  recurringItems: [],
  extraItems: [],
  recurringItem: BILLED.recurringItems[0],
}

/** A recurring invoice right after each of its events. */
export const RECURRING_SAMPLES: Readonly<Record<RecurringInvoiceEventType, object>> = {
  'recurring_invoice.created': NEW_RECURRING,
  'recurring_invoice.cycle_billed': { ...BILLED, invoiceId: 78, cycle: 1 },
}
