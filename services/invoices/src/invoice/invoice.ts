import type { CalendarDay } from './calendar-day'

/** The contract's words, as the database and the API have them too. */
export type InvoiceStatus = 'OPEN' | 'CLOSED' | 'PAID' | 'CANCELLED' | 'UNCOLLECTIBLE'
export type ChargeStatus = 'PENDING' | 'PAID' | 'CANCELLED'

export type AcceptedMethod =
  | { method: 'CREDIT_CARD'; maxInstallments: number | null; feePassThrough: boolean }
  | { method: 'BOLETO'; daysAfterDueDate: number | null; instructions: readonly string[] }

/** Exactly one of amount and share. */
export type Split = {
  recipientId: number
  amountInCents: number | null
  percentageBps: number | null
  liable: boolean
  chargeProcessingFee: boolean
}

/** Exactly one of amount and share. It is due from so many days after the due date on. */
export type Fine = { amountInCents: number | null; percentageBps: number | null; startsAfterDays: number }

/** Exactly one of amount and share. It is due from so many days after the due date on. */
export type Interest = {
  dailyAmountInCents: number | null
  monthlyPercentageBps: number | null
  startsAfterDays: number
}

/** What was printed of a customer when the invoice was made. */
export type PrintedCustomer = { id: number; name: string; document: string; email: string | null }

/** What a customer is to pay. Amounts in cents, times in epoch milliseconds. */
export type Invoice = {
  id: number
  sellerId: number
  /** Names the page on which it is paid; nobody can guess it. */
  publicId: string
  status: InvoiceStatus
  invoiceNumber: string
  customer: PrintedCustomer
  dueDate: number
  /** The first day on which it is late. */
  lateOn: CalendarDay
  /** When it was finalized. */
  closeDate: number | null
  paymentDate: number | null
  /** The last moment at which it may be paid. */
  paymentLimitDate: number | null
  /** The seller was told that it is past due. */
  pastDueTold: boolean
  /** The sum of the items. */
  amount: number
  paidAmount: number
  refundedAmount: number
  /** Null: all. */
  acceptedMethods: readonly AcceptedMethod[] | null
  splits: readonly Split[]
  fine: Fine | null
  interest: Interest | null
  notificationUrl: string | null
  successUrl: string | null
  /** Counts the events told. */
  sequence: number
  createdAt: number
  updatedAt: number
}

export type Item = {
  /** Counted within the invoice, from 1. */
  id: number
  productId: number
  /** The product's name when the invoice was made. */
  description: string
  quantity: number
  unitPrice: number
}

/** What a finalized invoice asks for. */
export type InvoiceCharge = {
  id: number
  sellerId: number
  invoiceId: number
  status: ChargeStatus
  amount: number
  createdAt: number
  updatedAt: number
}

/** An invoice with all that belongs to it. `charge`: its latest. */
export type WholeInvoice = Invoice & { items: readonly Item[]; charge: InvoiceCharge | null }

/** Something that was taken and may surprise. */
export type Warning = { pointer: string; code: string; detail: string }
