import type { Language } from '../../letters/queue/email'
import type { CalendarDay } from '@cofre/platform/calendar-day'
import type { Invoice, Item } from '../../invoice/rules/invoice'
import type { Frequency } from './frequency'

/** The contract's names, which the database and the API use too. */
export type RecurringKind = 'RECURRING' | 'BOOKLET'
export type RecurringStatus = 'ACTIVE' | 'PAUSED' | 'FINISHED' | 'CANCELLED'
export type CollectionMethod = 'CHARGE_AUTOMATICALLY' | 'SEND_INVOICE'

/** A recurring invoice to a customer. Amounts in cents, times in epoch milliseconds. */
export type RecurringInvoice = Pick<
  Invoice,
  | 'acceptedMethods'
  | 'partialPayments'
  | 'splits'
  | 'fine'
  | 'interest'
  | 'discounts'
  | 'notificationUrl'
  | 'successUrl'
  | 'unreached'
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
  /** The day of the first cycle, or the one that a change has set; every later one is counted from it. */
  anchorDay: CalendarDay
  /** The seller asked to keep a start in the past as given. */
  startOverridden: boolean
  /** The due date of the first cycle, if the seller gave one. */
  firstDueDate: number | null
  /** The number of invoices of a booklet. */
  charges: number | null
  /** The stored card that is charged. Null: the card that the customer keeps. */
  cardId: number | null
  /** When a change named that card. Null: it was named when the recurring invoice was made, or none is. */
  cardChosenAt: number | null
  /** An invoice becomes UNCOLLECTIBLE once its last automatic charge has failed. */
  givesUp: boolean
  /**
   * An automatic charge asks for fine and interest too; otherwise for the agreed amount, and the days on which a card is
   * tried again cost nothing.
   */
  cardPaysFineAndInterest: boolean
  /** The language of letters to the customer. */
  language: Language
  /** The seller's name for the customer. Null when letters name no seller. */
  sellerName: string | null
  /** Invoices made so far. */
  cyclesBilled: number
  /** The place of the next cycle in the schedule, from 0. */
  nextPeriod: number
  /** The day of the next cycle. Null when none comes, or while it is paused. */
  nextCycleDay: CalendarDay | null
  /** Counts the events sent. */
  sequence: number
  createdAt: number
  updatedAt: number
  /** As the customer is called now. Null: the customer was deleted. Absent: it was not read. */
  customerName?: string | null
  /** What became of its card for open invoices, as things are now. */
  failingCard?: FailingCard | null
}

/** The card of an open invoice failed and may be tried again, or is tried no more. */
export type FailingCard = 'CARD_FAILS' | 'CARD_GIVEN_UP'

/** A recurring invoice as its table has it. */
export type StoredRecurring = Omit<RecurringInvoice, 'unreached' | 'customerName' | 'failingCard'>

/** A billed item. `cycle`: the billed cycle to which it belongs, from 1; null: every cycle. */
export type RecurringItem = Item & { cycle: number | null }

/** As an entry of a list. `amount`: what each cycle bills, without extra items. */
export type ListedRecurring = RecurringInvoice & { amount: number }

export type WholeRecurring = RecurringInvoice & { items: readonly RecurringItem[] }
