import type { CalendarDay } from './calendar-day'
import type { Failure } from './failure'

/** The contract's words, as the database and the API have them too. */
export type InvoiceStatus = 'OPEN' | 'CLOSED' | 'PAID' | 'CANCELLED' | 'UNCOLLECTIBLE'
export type ChargeStatus = 'PENDING' | 'PAID' | 'CANCELLED'
export type TransactionStatus = 'PENDING' | 'SUCCEEDED' | 'FAILED'

export type AcceptedMethod =
  | {
      method: 'CREDIT_CARD'
      maxInstallments: number | null
      feePassThrough: boolean
      /** The payment page has the issuer authenticate the payer. Absent: no, in an invoice that was made before this. */
      threeDSecure?: boolean
    }
  | { method: 'BOLETO'; daysAfterDueDate: number | null; instructions: readonly string[] }

export type PaymentMethod = AcceptedMethod['method']

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
  /** The recurring invoice that made it, and in which of its cycles, from 1. */
  recurringInvoiceId: number | null
  cycle: number | null
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
  /** How it was paid. */
  method: PaymentMethod | null
  createdAt: number
  updatedAt: number
}

/** Why a card was declined, as the orders service tells it. `advice`: the contract's word. */
export type Decline = {
  code: string
  acquirerCode: string
  message: string
  retryable: boolean
  advice: string
  /** Mastercard's merchant advice code; empty: none came. Absent of a decline that was saved without. */
  adviceCode?: string
}

/**
 * What the acquirer made of the payer's authentication. `acquirerEci` empty: it has said nothing. `downgraded`: it did not
 * move the liability to the issuer, as the ECI that was sent would have.
 */
export type AuthenticationEffect = { eci: string; acquirerEci: string; downgraded: boolean }

/** An attempt to pay an invoice. */
export type Transaction = {
  id: number
  sellerId: number
  invoiceId: number
  chargeId: number
  type: PaymentMethod
  status: TransactionStatus
  /** What the payer pays. */
  amount: number
  /** What the invoice asked for then: the amount without a fee that the payer bears. */
  payable: number
  /** The charge of the orders service. Null: none was made, or it is not known. */
  orderChargeId: number | null
  decline: Decline | null
  /** With FAILED, where no issuer declined it. Null also of one that failed before this was kept. */
  failure: Failure | null
  /** Null: none was sent, or it is not known yet. */
  authentication: AuthenticationEffect | null
  /** Of a card: its operation's idempotency key at the orders service, and until when the call may leave. */
  operationId: string | null
  dispatchDeadline: number | null
  /** The stored card that is charged, an id of the vault's, and its brand. Null: another one, or it is not known. */
  cardId: number | null
  cardBrand: string | null
  /** The card of the vault's that the customer keeps once this payment succeeds. */
  keepCardId: number | null
  /** The payment had it stored, and not the seller. */
  keepCardIsOurs: boolean
  /** The money came to an invoice that cannot take it. */
  giveBack: boolean
  /** When the orders service is asked what became of it. */
  askAt: number | null
  createdAt: number
  updatedAt: number
}

export type AutomaticChargeStatus = 'WAITING' | 'TRYING' | 'PAID' | 'NEEDS_CARD' | 'GIVEN_UP' | 'STOPPED'

/** What charging a stored card for an invoice, without anybody asking, has come to. */
export type AutomaticCharge = {
  status: AutomaticChargeStatus
  /** Those that reached the issuer, or may have. */
  attempts: number
  /** With WAITING. */
  nextAttemptAt: number | null
  /** Why it stands as it does. Null: nothing was tried yet. */
  reason: string | null
}

/**
 * An invoice with all that belongs to it. `charge`: its latest. `transactions`: the latest 200, the oldest first.
 * `automaticCharge` null: no card is charged by itself.
 */
export type WholeInvoice = Invoice & {
  items: readonly Item[]
  charge: InvoiceCharge | null
  transactions: readonly Transaction[]
  automaticCharge: AutomaticCharge | null
}

/** Something that was taken and may surprise. */
export type Warning = { pointer: string; code: string; detail: string }
