import type { CalendarDay } from '@cofre/platform/calendar-day'
import type { AcceptedMethod, PaymentMethod } from '../../methods/methods'
import type { Failure } from './failure'
import type { Owed } from './late-charges'
import type { MovementMethod } from './movement'

/** What a payer read and agreed to when a card was to be kept. `address`: of the network that the payer came from. */
export type KeepConsent = { language: string; text: string; address: string; givenAt: number }

/** The contract's names, which the database and the API use too. */
export type InvoiceStatus = 'OPEN' | 'CLOSED' | 'PAID' | 'CANCELLED' | 'UNCOLLECTIBLE'
export type ChargeStatus = 'PENDING' | 'PAID' | 'CANCELLED'
export type TransactionStatus = 'PENDING' | 'SUCCEEDED' | 'FAILED'

/** Exactly one of amount and share. */
export type Split = {
  recipientId: number
  amountInCents: number | null
  percentageBps: number | null
  liable: boolean
  chargeProcessingFee: boolean
}

/** Exactly one of amount and share. It is due from `startsAfterDays` days after the due date on. */
export type Fine = { amountInCents: number | null; percentageBps: number | null; startsAfterDays: number }

/** Exactly one of amount and share. It is due for each day from `startsAfterDays` days after the due date on. */
export type Interest = {
  dailyAmountInCents: number | null
  monthlyPercentageBps: number | null
  startsAfterDays: number
}

/**
 * Exactly one of amount and share of the total. For who pays all that is owed, up to `daysBeforeDueDate` days before the
 * due date; 0: up to the due date.
 */
export type Discount = {
  amountInCents: number | null
  percentageBps: number | null
  daysBeforeDueDate: number
}

/** The customer as printed when the invoice was made. */
export type PrintedCustomer = { id: number; name: string; document: string; email: string | null }

/** An invoice to a customer. Amounts in cents, times in epoch milliseconds. */
export type Invoice = {
  id: number
  sellerId: number
  /** The id of the page on which it is paid; nobody can guess it. */
  publicId: string
  status: InvoiceStatus
  invoiceNumber: string
  customer: PrintedCustomer
  dueDate: number
  /** Lateness counts from this day; null: from the due date. It is later where the invoice was issued later. */
  lateFrom: CalendarDay | null
  /** The first day on which it is late. */
  lateOn: CalendarDay
  /** When it was finalized. */
  closeDate: number | null
  paymentDate: number | null
  /** A moment of the last day on which it may be paid. */
  paymentLimitDate: number | null
  /** The seller was notified that it is past due. */
  pastDueNotified: boolean
  /** The sum of the items. */
  amount: number
  /** What came in for it, without fees that payers bore; and what of that went back. */
  paidAmount: number
  refundedAmount: number
  /** What card holders have taken back of it through their banks, at this moment. */
  disputedAmount: number
  /** What the seller asks for no more. */
  writtenOffAmount: number
  /**
   * What is still owed: of the sum of the items, and of the fine and interest that were counted up to a day. Null:
   * none was counted yet. Nothing is open of an invoice that is PAID.
   */
  open: Owed & { countedTo: CalendarDay | null }
  /** Whether it takes less than the whole. */
  partialPayments: boolean
  /** Written when it is made, all of them when its seller named none: a later method never opens on it. */
  acceptedMethods: readonly AcceptedMethod[]
  splits: readonly Split[]
  fine: Fine | null
  interest: Interest | null
  discounts: readonly Discount[]
  notificationUrl: string | null
  successUrl: string | null
  /** The recurring invoice that made it, and in which of its cycles, from 1. */
  recurringInvoiceId: number | null
  cycle: number | null
  /** The product by whose payment link a stranger had it made. */
  paymentLinkProductId: number | null
  /** What the card statement says, and the store that charges the card, where its product says so. */
  softDescriptor: string | null
  affiliateId: number | null
  /** By which letters name the seller. Null: by the name of the recurring invoice, if any. */
  sellerName: string | null
  /** Counts the events sent. */
  sequence: number
  createdAt: number
  updatedAt: number
  /** As things were when it was read; null or absent: it reaches somebody. Not stored. */
  unreached?: Unreached | null
}

/** An invoice as its table has it. */
export type StoredInvoice = Omit<Invoice, 'unreached'>

export type Item = {
  /** Counted within the invoice, from 1. */
  id: number
  productId: number
  /** The product's name when the invoice was made. */
  description: string
  quantity: number
  unitPrice: number
}

/** The charge of a finalized invoice. */
export type InvoiceCharge = {
  id: number
  sellerId: number
  invoiceId: number
  status: ChargeStatus
  amount: number
  /** How it was paid, at last. Null also when nothing was to be paid. */
  method: MovementMethod | null
  createdAt: number
  updatedAt: number
}

/** Why a card was declined, as the orders service reports it. `advice`: a name of the contract. */
export type Decline = {
  code: string
  acquirerCode: string
  message: string
  retryable: boolean
  advice: string
  /** Mastercard's merchant advice code; empty when none came. Absent in a decline that was saved without it. */
  adviceCode?: string
}

/**
 * The acquirer's answer to the payer's authentication. `acquirerEci`: empty when it gave none. `downgraded`: the
 * liability did not move to the issuer, as the ECI that was sent would have moved it.
 */
export type AuthenticationEffect = { eci: string; acquirerEci: string; downgraded: boolean }

/** An attempt to pay an invoice. */
export type Transaction = {
  id: number
  sellerId: number
  invoiceId: number
  /** The charge of the invoice. Null while a payment of a draft has no outcome. */
  chargeId: number | null
  type: PaymentMethod
  status: TransactionStatus
  /** The amount that the payer pays. */
  amount: number
  /** The amount that the invoice asked for then, without a fee that the payer bears. */
  payable: number
  /** What went back of `amount`, so far. */
  refunded: number
  /** What its card holder has taken back of `amount`, at this moment. */
  disputed: number
  /** The charge of the orders service. Null when none was made, or it is not known. */
  orderChargeId: number | null
  decline: Decline | null
  /** With FAILED, when no issuer declined it. Null also for an attempt that was saved without it. */
  failure: Failure | null
  /** Null when none was sent, or it is not known yet. */
  authentication: AuthenticationEffect | null
  /** For a card: the operation's idempotency key at the orders service, and until when the call may leave. */
  operationId: string | null
  dispatchDeadline: number | null
  /** The vault's id of the stored card that is charged, and its brand. Null for another card, or when not known. */
  cardId: number | null
  cardBrand: string | null
  /** The vault's id of the card that the customer keeps once this payment succeeds. */
  keepCardId: number | null
  /** This payment had the card stored; the seller did not. */
  keepCardIsOurs: boolean
  /** What the payer agreed to for that. Null: the seller asked. */
  keepConsent: KeepConsent | null
  /** The money came to an invoice that cannot take it, and goes back. */
  giveBack: boolean
  /** When the orders service is asked about its outcome. */
  askAt: number | null
  createdAt: number
  updatedAt: number
}

export type AutomaticChargeStatus = 'WAITING' | 'TRYING' | 'PAID' | 'NEEDS_CARD' | 'GIVEN_UP' | 'STOPPED'

/** The state of charging a stored card for an invoice automatically. */
export type AutomaticCharge = {
  status: AutomaticChargeStatus
  /** Attempts that reached the issuer, or may have. */
  attempts: number
  /** With WAITING. */
  nextAttemptAt: number | null
  /** Why it has this status. Null when nothing was tried yet. */
  reason: string | null
  /** Its recurring invoice is paused. */
  isHeld: boolean
}

/**
 * An invoice with all that belongs to it. `charge`: its latest. `transactions`: the latest 200, the oldest first.
 * `automaticCharge` null: no card is charged automatically.
 */
export type WholeInvoice = Invoice & {
  items: readonly Item[]
  charge: InvoiceCharge | null
  transactions: readonly Transaction[]
  automaticCharge: AutomaticCharge | null
}

/**
 * Why an invoice, or those of a recurring invoice, reach nobody: no letter finds an addressee, or no card can be charged either.
 */
export type Unreached = 'NOBODY_TO_MAIL' | 'NOBODY_TO_CHARGE'

/** A warning about a value that was accepted and may surprise. */
export type Warning = { pointer: string; code: string; detail: string }
