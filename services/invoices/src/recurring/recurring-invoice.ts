import type { Language } from '../email/email'
import type { CalendarDay } from '../invoice/calendar-day'
import type { Invoice, Item } from '../invoice/invoice'
import type { Frequency } from './frequency'

/** The contract's words, as the database and the API have them too. */
export type RecurringKind = 'RECURRING' | 'BOOKLET'
export type RecurringStatus = 'ACTIVE' | 'PAUSED' | 'FINISHED' | 'CANCELLED'
export type CollectionMethod = 'CHARGE_AUTOMATICALLY' | 'SEND_INVOICE'

/** What a customer is billed again and again. Amounts in cents, times in epoch milliseconds. */
export type RecurringInvoice = Pick<
  Invoice,
  'acceptedMethods' | 'splits' | 'fine' | 'interest' | 'notificationUrl' | 'successUrl'
> & {
  id: number
  sellerId: number
  kind: RecurringKind
  status: RecurringStatus
  customerId: number
  /** As it was when the recurring invoice was made. */
  customerDocument: string
  frequency: Frequency
  collectionMethod: CollectionMethod
  orderReference: string | null
  /** The number of days from the cycle day to the due date of its invoice. */
  daysUntilDue: number
  /** The day of the first cycle; every later one is counted from it. */
  anchorDay: CalendarDay
  /** The seller asked that a start in the past holds as given. */
  startOverridden: boolean
  /** The due date of the first cycle where the seller gave it. */
  firstDueDate: number | null
  /** Of a booklet: how many invoices it has. */
  charges: number | null
  /** The stored card that is charged. Null: the one that the customer keeps. */
  cardId: number | null
  /** An invoice becomes UNCOLLECTIBLE once its last automatic charge failed. */
  givesUp: boolean
  /** Of the letters to the customer. */
  language: Language
  /** As the customer knows the seller. Null: letters name none. */
  sellerName: string | null
  /** Invoices made so far. */
  cyclesBilled: number
  /** The place in the schedule of the cycle that comes next, from 0. */
  nextPeriod: number
  /** The day of that cycle. Null: none comes, or not while it is paused. */
  nextCycleDay: CalendarDay | null
  /** Counts the events told. */
  sequence: number
  createdAt: number
  updatedAt: number
}

/** What is billed. `cycle`: the billed cycle that it belongs to, from 1; null: each. */
export type RecurringItem = Item & { cycle: number | null }

export type WholeRecurring = RecurringInvoice & { items: readonly RecurringItem[] }
