import { presentRecurring, recurringSchema } from '@cofre/api/recurring-invoice'
import {
  BillingFrequency,
  CollectionMethod,
  OnPaymentFailure,
  RecurringInvoice,
  RecurringInvoiceKind,
  RecurringInvoiceStatus,
} from '@cofre/proto/invoices/v1/recurring'
import { bookletRequestSchema } from '../../src/api/recurring/booklet-request'
import { recurringRequestSchema } from '../../src/api/recurring/recurring-request'

const answered = Object.keys(recurringSchema.shape)

test('an answer has every member of the request for a recurring invoice', () => {
  expect(answered).toEqual(expect.arrayContaining(Object.keys(recurringRequestSchema.shape)))
})

test('an answer has every member of the request for a booklet', () => {
  expect(answered).toEqual(expect.arrayContaining(Object.keys(bookletRequestSchema.shape)))
})

/** Returns the service's message with an item, which the first cycle has twice. */
const told = (kind: RecurringInvoiceKind) =>
  RecurringInvoice.fromPartial({
    kind,
    id: 12,
    status: RecurringInvoiceStatus.ACTIVE,
    frequency: BillingFrequency.MONTHLY,
    collectionMethod: CollectionMethod.SEND_INVOICE,
    onPaymentFailure: OnPaymentFailure.PAST_DUE,
    startDateOverridden: true,
    terms: {},
    items: [
      { id: 1, productId: 5, description: 'Plano', quantity: 1, unitPriceInCents: 9_900 },
      { id: 2, productId: 5, description: 'Plano', quantity: 1, unitPriceInCents: 9_900, cycle: 1 },
    ],
  })
const PLAN = { id: 1, productId: 5, description: 'Plano', quantity: 1, unitPriceInCents: 9_900 }

test('an overridden start is answered as requested', () => {
  const recurring = recurringSchema.parse(presentRecurring(told(RecurringInvoiceKind.RECURRING)))
  expect(recurring.isBillingCycleStartDateOverridden).toBe(true)
})

test('a booklet is answered with its item as requested; a recurring invoice has no such item', () => {
  const booklet = recurringSchema.parse(presentRecurring(told(RecurringInvoiceKind.BOOKLET)))
  expect(booklet.recurringItem).toEqual(PLAN)
  expect(booklet.recurringItems).toEqual([PLAN])
  const recurring = recurringSchema.parse(presentRecurring(told(RecurringInvoiceKind.RECURRING)))
  expect([recurring.recurringItem, recurring.recurringItems]).toEqual([null, [PLAN]])
})
