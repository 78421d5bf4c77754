import { presentRecurring, recurringSchema } from '@cofre/api/recurring-invoice'
import {
  BillingFrequency,
  CollectionMethod,
  OnPaymentFailure,
  RecurringInvoice,
  RecurringInvoiceKind,
  RecurringInvoiceStatus,
} from '@cofre/proto/invoices/v1/recurring'
import { bookletRequestSchema } from '../../src/routes/recurring/booklet-request'
import { recurringRequestSchema } from '../../src/routes/recurring/recurring-request'

const answered = Object.keys(recurringSchema.shape)

test('what a recurring invoice is made of is answered, member by member', () => {
  expect(answered).toEqual(expect.arrayContaining(Object.keys(recurringRequestSchema.shape)))
})

test('what a booklet is made of is answered, member by member', () => {
  expect(answered).toEqual(expect.arrayContaining(Object.keys(bookletRequestSchema.shape)))
})

/** As the service tells of one with an item, which the first cycle has twice. */
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

test('a start that is overridden is answered as it was asked for', () => {
  const recurring = recurringSchema.parse(presentRecurring(told(RecurringInvoiceKind.RECURRING)))
  expect(recurring.isBillingCycleStartDateOverridden).toBe(true)
})

test('a booklet is answered with its item, as it was asked for; a recurring invoice has none', () => {
  const booklet = recurringSchema.parse(presentRecurring(told(RecurringInvoiceKind.BOOKLET)))
  expect(booklet.recurringItem).toEqual(PLAN)
  expect(booklet.recurringItems).toEqual([PLAN])
  const recurring = recurringSchema.parse(presentRecurring(told(RecurringInvoiceKind.RECURRING)))
  expect([recurring.recurringItem, recurring.recurringItems]).toEqual([null, [PLAN]])
})
