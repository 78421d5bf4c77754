import type { CalendarDay } from '@cofre/platform/calendar-day'
import type { Fine, Interest } from '../../invoice/rules/invoice'
import type { DatedDiscount, RegisteredAsk } from '../../methods/rules/registered-ask'

/** The beneficiary, as the bank knows it. */
export type Beneficiary = { name: string; document: string; agency: string; account: string; address: string }

/** The payer. `address`: one line, empty when unknown. `place`: the same for the bank; null where it lacks what banks ask for. */
export type Payer = { name: string; document: string; address: string; place: PayerPlace | null }

/** `street`: with number and complement. `state`: its two letters (UF). `zipCode`: the 8 digits of the CEP. */
export type PayerPlace = {
  street: string
  neighborhood: string
  city: string
  state: string
  zipCode: string
}

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
  discounts: readonly DatedDiscount[]
  instructions: readonly string[]
}

/** A bank slip. `account`: the seller's agreement. */
export type Boleto = RegisteredAsk &
  Terms & {
    ourNumber: string
    /** As the bank returned it and we computed it; null before registration. */
    barcode: string | null
    digitableLine: string | null
    documentNumber: string
    payer: Payer
    beneficiary: Beneficiary | null
  }
