import { assigned, changing, changingTime, fixed, fixedTime, table } from '@cofre/platform/postgres/columns'
import type { RecurringItem, StoredRecurring } from '../rules/recurring-invoice'

/** The one place that names the columns of a recurring invoice. */
export const RECURRING = table<StoredRecurring>({
  id: assigned,
  sellerId: fixed,
  kind: fixed,
  status: changing,
  customerId: fixed,
  customerDocument: fixed,
  frequency: fixed,
  collectionMethod: changing,
  orderReference: fixed,
  daysUntilDue: fixed,
  anchorDay: changing,
  startOverridden: fixed,
  firstDueDate: changingTime,
  charges: fixed,
  cardId: changing,
  cardChosenAt: changingTime,
  givesUp: fixed,
  cardPaysFineAndInterest: fixed,
  language: fixed,
  sellerName: fixed,
  acceptedMethods: fixed,
  partialPayments: fixed,
  splits: fixed,
  fine: fixed,
  interest: fixed,
  discounts: fixed,
  notificationUrl: fixed,
  successUrl: fixed,
  cyclesBilled: changing,
  nextPeriod: changing,
  nextCycleDay: changing,
  sequence: changing,
  createdAt: fixedTime,
  updatedAt: changingTime,
})

export const RECURRING_ITEMS = table<RecurringItem>({
  id: fixed,
  productId: fixed,
  description: fixed,
  quantity: fixed,
  unitPrice: fixed,
  cycle: fixed,
})
