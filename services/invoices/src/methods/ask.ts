import type { CalendarDay } from '@cofre/platform/calendar-day'
import type { Db } from '@cofre/platform/postgres/postgres'
import type { AskMethod } from './methods'

/** What a payer is asked to pay by a method, such as a boleto. Cents. */
export type Ask = {
  /** Unique among the asks of its method. */
  id: number
  method: AskMethod
  sellerId: number
  invoiceId: number
  amount: number
  /** The last day on which banks take money for it. */
  payableUntil: CalendarDay
  /** It is open: no money of its invoice has moved since, which would have withdrawn it. */
  isCurrent: boolean
  /** Its payer has agreed to its amount before, which pays the invoice on each day. */
  isAgreed: boolean
  /** What is due on a day: the amount, less a discount, and the lateness that the bank adds. */
  dueOn(day: CalendarDay): number
}

/** What money was paid for, as the bank names it: the account that received it, and the number of the ask. */
export type PaidFor = { method: AskMethod; account: string; askNumber: string }

/** Who paid, as far as the bank says; empty where it does not. Of a CPF, the outer digits are hidden. */
export type Payer = { name: string; document: string }

/**
 * Money of a receipt that the bank gives back, at a seller's request or by itself. `number`, `nature`: what the bank
 * calls it. `at`: when it went. `refusal`: why it did not. Cents; epoch milliseconds.
 */
export type BankReturn = {
  number: string
  nature: string
  amount: number
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED'
  at: number
  refusal: string
}

/**
 * Money that the bank reports as received, and what it gave back of it. `original`: the amount of the ask, to which the
 * bank added, or from which it took off, what makes up `amount`; null where it does not say so. Cents; epoch milliseconds.
 */
export type BankReceipt = {
  bankId: string
  amount: number
  original?: number | null
  paidAt: number
  payer?: Payer | null
  returns?: readonly BankReturn[]
}

/** An ask that the caller's transaction has locked. `at`: epoch milliseconds. */
export type LockedAsk = Ask & {
  /** Saves that its invoice took the money. */
  savePaid(at: number): Promise<void>
  /** Saves that its invoice did not take all that came: for the bank it is paid, so nobody can pay the rest with it. */
  saveClosed(at: number): Promise<void>
}

/** The asks of one method. Who locks an ask or withdraws one has locked its invoice. */
export type Asks = {
  /** Undefined when no ask of this account has this number. */
  find(db: Db, paidFor: PaidFor): Promise<Ask | undefined>
  /** The seller whose asks were made in an account. Null when nobody's were. */
  findSeller(db: Db, account: string): Promise<number | null>
  lock(tx: Db, id: number): Promise<LockedAsk>
  /** Whether an invoice has an open ask, or one that a bank may be registering. */
  hasOpen(tx: Db, invoiceId: number): Promise<boolean>
  /** Withdraws the open asks of an invoice, so that nobody pays them. */
  withdrawOpen(tx: Db, invoiceId: number, at: number): Promise<void>
}
