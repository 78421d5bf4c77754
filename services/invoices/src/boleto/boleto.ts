import type { CalendarDay } from '../invoice/calendar-day'
import type { Fine, Interest } from '../invoice/invoice'

/** The contract's words, as the database has them too. */
export type BoletoStatus = 'PENDING' | 'REGISTERED' | 'PAID' | 'EXPIRED' | 'CANCELLED' | 'REFUSED'

/** Who gets the money, as the bank knows its client. */
export type Beneficiary = { name: string; document: string; agency: string; account: string; address: string }

/** Who pays. `address`: one line, empty where none is known. */
export type Payer = { name: string; document: string; address: string }

/** What a slip asks for, and until when. Cents. */
export type Terms = {
  dueDay: CalendarDay
  /** The first day on which fine and interest count. */
  lateOn: CalendarDay
  /** The last day on which banks take it. */
  payableUntil: CalendarDay
  amount: number
  fine: Fine | null
  interest: Interest | null
  instructions: readonly string[]
}

/** A bank slip. Times in epoch milliseconds. */
export type Boleto = Terms & {
  id: number
  sellerId: number
  invoiceId: number
  /** Names its PDF; nobody can guess it. */
  publicId: string
  status: BoletoStatus
  /** The seller's account at the bank: its agreement. */
  account: string
  ourNumber: string
  /** As the bank answered and we computed; null before it is registered. */
  barcode: string | null
  digitableLine: string | null
  documentNumber: string
  payer: Payer
  beneficiary: Beneficiary | null
  /** Why the bank refused it, in its words. */
  refusal: string | null
  /** The registration leaves by then or not at all. */
  dispatchDeadline: number
  /** The mark of the request that asked for it, until that is answered. */
  operationId: string | null
  /** The bank is to be told that nobody is to pay it. */
  withdrawing: boolean
  /** Since when the seller has no account at the bank, so that nobody can ask about it; null: it has one. */
  accountGoneAt: number | null
  /** When the sweeper looks at it next; null: never. */
  askAt: number | null
  version: number
  createdAt: number
  updatedAt: number
}
