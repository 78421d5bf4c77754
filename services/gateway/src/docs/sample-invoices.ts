import { PERMISSION_EXAMPLE } from '@cofre/api/methods/pix-automatic'
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
  balanceInCents: 0,
  paidInCents: PAYMENT.amountInCents,
  charge: { ...CHARGE, status: 'PAID', method: 'CREDIT_CARD', transactions: [PAYMENT] },
  transactions: [PAYMENT],
  updatedAt: PAYMENT.createdAt + 1_000,
}

/** An invoice right after each of its events. */
export const INVOICE_SAMPLES: Readonly<Record<InvoiceEventType, InvoiceJson>> = {
  'invoice.created': DRAFT,
  'invoice.updated': { ...DRAFT, updatedAt: DRAFT.createdAt + 60_000 },
  'invoice.finalized': CLOSED,
  'invoice.paid': PAID,
  'invoice.payment_failed': { ...DECLINED, recurringInvoiceId: 12, cycle: 1 },
  'invoice.voided': {
    ...CLOSED,
    status: 'CANCELLED',
    payableInCents: 0,
    balanceInCents: 0,
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
  'invoice.partially_paid': {
    ...CLOSED,
    partialPayments: true,
    paidInCents: 4_000,
    balanceInCents: 6_000,
    payableInCents: 6_000,
  },
  'invoice.refunded': { ...PAID, refundedInCents: PAYMENT.amountInCents },
  'invoice.refund_failed': PAID,
  'payment_link.paid': { ...PAID, paymentLinkProductId: 1 },
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

function permitted(changes: object): object {
  return { ...BILLED, pixPermission: { ...PERMISSION_EXAMPLE, copyAndPaste: null, ...changes } }
}

/** A recurring invoice right after each of its events. */
export const RECURRING_SAMPLES: Readonly<Record<RecurringInvoiceEventType, object>> = {
  'recurring_invoice.created': NEW_RECURRING,
  'recurring_invoice.updated': { ...BILLED, cardId: 42, nextCardId: 42, changedFields: ['cardId'] },
  'recurring_invoice.cycle_billed': { ...BILLED, invoiceId: 78, cycle: 1 },
  'recurring_invoice.pix_permission_approved': permitted({ status: 'APPROVED' }),
  'recurring_invoice.pix_permission_rejected': permitted({ status: 'REJECTED', code: 'AP13' }),
  'recurring_invoice.pix_permission_expired': permitted({ status: 'EXPIRED' }),
  'recurring_invoice.pix_permission_cancelled': permitted({
    status: 'CANCELLED',
    code: 'SLDB',
    endedBy: 'USUARIO_PAGADOR',
  }),
}
