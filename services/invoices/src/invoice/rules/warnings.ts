import { dayOf } from '@cofre/platform/calendar-day'
import type { Invoice, Unreached, Warning } from './invoice'

const CUSTOMARY_FINE_BPS = 200
const CUSTOMARY_INTEREST_BPS = 100
const WHOLE_BPS = 10_000
const DAYS_OF_A_MONTH = 30

type Warned = Held &
  Pick<Invoice, 'status' | 'fine' | 'interest' | 'dueDate' | 'createdAt' | 'recurringInvoiceId' | 'unreached'>
type Held = Pick<Invoice, 'amount' | 'splits' | 'paidAmount' | 'refundedAmount' | 'disputedAmount'>

/**
 * Warnings about what is accepted. A court may reduce terms: for consumers a fine above 2 % (Código de Defesa do
 * Consumidor, art. 52 § 1), and interest above the customary 1 % a month. A due date that was past when a seller made the
 * invoice costs the customer nothing, as sellers may not expect. Nor may they expect that a recipient of a fixed amount
 * gets a part of it. What Cofre is to deliver and reaches nobody is past due one day, unseen.
 */
export function warningsOf(invoice: Warned): Warning[] {
  const { status, amount, fine, interest, dueDate, createdAt, recurringInvoiceId, unreached } = invoice
  const fineBps = fine?.percentageBps ?? bpsOf(fine?.amountInCents ?? 0, amount)
  const ofMonth = (interest?.dailyAmountInCents ?? 0) * DAYS_OF_A_MONTH
  const interestBps = interest?.monthlyPercentageBps ?? bpsOf(ofMonth, amount)
  const isPast = recurringInvoiceId === null && dayOf(dueDate) < dayOf(createdAt)
  return [
    ...(unreached && status === 'CLOSED'
      ? [{ pointer: '#/customer/email', code: unreached, detail: UNREACHED[unreached] }]
      : []),
    ...(isPast
      ? [
          {
            pointer: '#/dueDate',
            code: 'DUE_DATE_PAST',
            detail: 'was past: lateness counts from the day of issue',
          },
        ]
      : []),
    ...(isSplitUncovered(invoice)
      ? [
          {
            pointer: '#/splits',
            code: 'SPLIT_NOT_COVERED',
            detail: 'has a fixed amount that is not covered yet: its recipient has the part that was paid',
          },
        ]
      : []),
    ...(fineBps > CUSTOMARY_FINE_BPS
      ? [{ pointer: '#/fine', code: 'FINE_ABOVE_CUSTOM', detail: 'is above 2 % of the total' }]
      : []),
    ...(interestBps > CUSTOMARY_INTEREST_BPS
      ? [
          {
            pointer: '#/interest',
            code: 'INTEREST_ABOVE_CUSTOM',
            detail: 'is above 1 % of the total a month',
          },
        ]
      : []),
  ]
}

/** What the API says of the address of a customer whom nothing reaches. */
const UNREACHED: Record<Unreached, string> = {
  NOBODY_TO_MAIL: 'is missing: no letter leaves, and the customer gets the payment page from you alone',
  NOBODY_TO_CHARGE: 'is missing, and no card is kept: nothing is charged, and no letter leaves',
}

/** What the API says of a card that is charged for a recurring invoice. */
const FAILING = {
  CARD_FAILS: 'fails for an open invoice: it is tried again, or the customer has to pay or keep another',
  CARD_GIVEN_UP: 'was given up for an open invoice: no card is tried for it any more',
}

/** The warnings of a recurring invoice: its invoices reach nobody (`unreached`), or its card fails, as things are now. */
export function warningsOfPlan({
  unreached,
  failingCard,
}: Pick<Invoice, 'unreached'> & { failingCard?: keyof typeof FAILING | null }): Warning[] {
  return [
    ...(unreached
      ? [
          {
            pointer: '#/customerId',
            code: unreached,
            detail: `names a customer whose e-mail address ${UNREACHED[unreached]}`,
          },
        ]
      : []),
    ...(failingCard ? [{ pointer: '#/cardId', code: failingCard, detail: FAILING[failingCard] }] : []),
  ]
}

/** Whether money came in, and what the invoice holds of it is less than its items: fixed amounts are parts of these. */
function isSplitUncovered({ amount, splits, paidAmount, refundedAmount, disputedAmount }: Held): boolean {
  const isFixed = splits.some(({ amountInCents }) => amountInCents !== null)
  return isFixed && paidAmount > 0 && paidAmount - refundedAmount - disputedAmount < amount
}

function bpsOf(part: number, amount: number): number {
  if (part === 0) return 0
  return amount === 0 ? Infinity : (part * WHOLE_BPS) / amount
}
