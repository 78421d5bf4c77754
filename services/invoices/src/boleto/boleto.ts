import type { CalendarDay } from '../invoice/calendar-day'
import type { Fine, Interest } from '../invoice/invoice'

/** The contract's names, which the database uses too. */
export type BoletoStatus = 'PENDING' | 'REGISTERED' | 'PAID' | 'EXPIRED' | 'CANCELLED' | 'REFUSED'

/** The beneficiary, as the bank knows it. */
export type Beneficiary = { name: string; document: string; agency: string; account: string; address: string }

/** The payer. `address`: one line, empty when unknown. */
export type Payer = { name: string; document: string; address: string }

/** The terms of a slip. Cents. */
export type Terms = {
  dueDay: CalendarDay
  /** The first day on which fine and interest count. */
  lateOn: CalendarDay
  /** The last day on which banks accept the slip. */
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
  /** The id of its PDF; nobody can guess it. */
  publicId: string
  status: BoletoStatus
  /** The seller's account at the bank: its agreement. */
  account: string
  ourNumber: string
  /** As the bank returned it and we computed it; null before registration. */
  barcode: string | null
  digitableLine: string | null
  documentNumber: string
  payer: Payer
  beneficiary: Beneficiary | null
  /** Why the slip was refused: the bank's code, or one of ours (transition.ts). */
  refusal: string | null
  /** The registration leaves by this moment, or not at all. */
  dispatchDeadline: number
  /** The mark of the request for this slip, until the request is answered. */
  operationId: string | null
  /** The bank has yet to withdraw the slip. */
  withdrawing: boolean
  /** Since when the seller has had no account at the bank: nobody can ask about the slip. Null when it has one. */
  accountGoneAt: number | null
  /** When the sweeper next checks the slip. Null means never. */
  askAt: number | null
  version: number
  createdAt: number
  updatedAt: number
}
