import { dayOf, type CalendarDay } from '@cofre/platform/calendar-day'
import { DomainError } from '@cofre/platform/errors'
import { cutTo } from '@cofre/platform/partner-text'
import type { PixReceiver } from '../../catalog/settings/billing-settings-store'
import { amountOf } from '../../invoice/rules/amount'
import { notAccepted } from '../../invoice/rules/payment-window'
import { settingsOf } from '../../methods/methods'
import { isPixFrequency, type PixPermission } from '../../pix/rules/permission'
import { collectedAmount } from './collected-amount'
import { itemsOfCycle } from './cycle-invoice'
import type { WholeRecurring } from './recurring-invoice'

const PURPOSE_MAX = 35

/** The words with which Pix Automático is refused for a frequency that it does not have. */
export const WITHOUT_PERIOD =
  'Pix Automático collects WEEKLY, MONTHLY, QUARTERLY, SEMIANNUALLY or YEARLY, and no other billingFrequency.'

type Asked = {
  account: string | undefined
  receiver: PixReceiver | null
  payer: PixPermission['payer']
  publicId: string
}

/**
 * The permission that a recurring invoice asks its payer for, before the bank has it. It begins with the next cycle.
 * FAILED_PRECONDITION INVALID_INVOICE_STATE, PAYMENT_METHOD_NOT_ACCEPTED.
 */
export function newPermission(
  recurring: WholeRecurring,
  { account, receiver, payer, publicId }: Asked,
  at: number,
): Omit<PixPermission, 'id'> {
  const { id: recurringInvoiceId, sellerId, kind, frequency, items, nextCycleDay, cyclesBilled } = recurring
  if (nextCycleDay === null || kind !== 'RECURRING') {
    const words = 'Only an ACTIVE recurring invoice that is no booklet can ask for a permission.'
    throw new DomainError('failed_precondition', 'INVALID_INVOICE_STATE', words, {
      members: { currentStatus: recurring.status, allowedActions: [] },
    })
  }
  if (
    recurring.collectionMethod !== 'CHARGE_AUTOMATICALLY' ||
    !settingsOf(recurring.acceptedMethods, 'PIX')
  ) {
    throw notAccepted(
      'Pix Automático needs collectionMethod CHARGE_AUTOMATICALLY and the payment method PIX.',
    )
  }
  if (!isPixFrequency(frequency)) throw notAccepted(WITHOUT_PERIOD)
  if (account === undefined) throw notAccepted('The seller has no Pix account at a bank.')
  if (receiver === null) throw notAccepted('The settings of your invoices name no pixReceiver.')
  // A cycle with items of its own has an amount of its own.
  const isFixed = items.every(({ cycle }) => cycle === null)
  const amount = amountOf(itemsOfCycle(items, cyclesBilled + 1))
  const today = dayOf(at)
  return {
    sellerId,
    recurringInvoiceId,
    publicId,
    status: 'PENDING',
    account,
    receiver,
    firstCycle: cyclesBilled + 1,
    // Of each cycle's own days, one is in each of the bank's periods; of due days, a short month may have two.
    firstDay: later(nextCycleDay, today),
    frequency,
    amount: isFixed ? collectedAmount({ ...recurring, amount }, amount) : null,
    payer,
    purpose: cutTo(recurring.sellerName ?? items[0]?.description ?? '', PURPOSE_MAX),
    locationId: null,
    recId: null,
    copyAndPaste: null,
    code: null,
    endedBy: null,
    cancelling: false,
    askAt: at,
    collectAt: null,
    createdAt: at,
    updatedAt: at,
  }
}

function later(one: CalendarDay, other: CalendarDay): CalendarDay {
  return one > other ? one : other
}
