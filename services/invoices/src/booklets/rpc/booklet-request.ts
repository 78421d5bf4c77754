import { MAX_AMOUNT } from '@cofre/platform/money'
import { InvoiceTerms, type CreateBookletRequest } from '@cofre/proto/invoices/v1/recurring'
import { amountOf } from '../../invoice/rules/amount'
import type { GivenStart } from '../../recurring/rules/schedule'
import { itemsOf, oneItemFaults, termsFaults, termsOf, within } from '../../invoice/rpc/terms-request'
import { fault, throwFaults } from '../../request-check'
import {
  billingFaults,
  billingOf,
  type AskedRecurringItem,
  type RecurringRequest,
} from '../../recurring/rpc/recurring-request'

/** A new booklet as requested. Amounts in cents. */
export type BookletRequest = Omit<RecurringRequest, 'items' | 'firstDueDate'> & {
  item: AskedRecurringItem
  charges: number
  start: GivenStart
}

const CHARGES_MAX = 120
const ITEM = '#/recurringItem'

/** Reads a request. INVALID_ARGUMENT VALIDATION_FAILED. */
export function readBookletRequest(request: CreateBookletRequest): BookletRequest {
  const { recurringItem: given, charges, billingCycleStartDate: date } = request
  const terms = request.terms ?? InvoiceTerms.fromPartial({})
  throwFaults([
    ...billingFaults({ ...request, takesPermission: false }),
    ...within(charges, 1, CHARGES_MAX, '#/chargesByBooklet'),
    ...(given ? oneItemFaults(given, ITEM) : [fault(ITEM, 'REQUIRED', 'is required')]),
    ...termsFaults(terms),
  ])
  const [item] = itemsOf(given ? [given] : [])
  if (!item) throw new Error('a booklet without its item')
  if (amountOf([item]) > MAX_AMOUNT) {
    throwFaults([fault(ITEM, 'MAX', `must add up to at most ${MAX_AMOUNT} cents`)])
  }
  return {
    ...termsOf(terms),
    ...billingOf(request),
    start: { date, isOverridden: false },
    item: { ...item, cycle: null },
    charges,
  }
}
