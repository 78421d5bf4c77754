import type { CalendarDay } from '@cofre/platform/calendar-day'
import type { Collection } from './collection'
import type { DatedDiscount, RegisteredAsk } from '../../methods/rules/registered-ask'

/** The terms of a Pix charge. Cents. */
export type PixTerms = {
  amount: number
  /** The last day without fine and interest. Null: an immediate charge, for one day. */
  dueDay: CalendarDay | null
  /** What the bank adds after that day, at once and for each day. */
  lateFine: number
  interestOfDay: number
  discounts: readonly DatedDiscount[]
  payableUntil: CalendarDay
}

/** A Pix charge. `account`: the seller's Pix key. */
export type PixCharge = RegisteredAsk &
  PixTerms & {
    txid: string
    payer: { name: string; document: string }
    /** The text behind the QR code, as the bank answered it; null before registration. */
    copyAndPaste: string | null
    /** What the payer's bank pays by a permission. Null: a payer scans it. */
    collection: Collection | null
  }

/** Whether the bank's charge of that number is known to be this one. */
export function isKnown({ copyAndPaste, collection }: PixCharge): boolean {
  return collection ? collection.status !== null : copyAndPaste !== null
}
