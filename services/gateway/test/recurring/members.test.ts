import { presentRecurring, recurringSchema } from '@cofre/api/recurring-invoice'
import { RecurringInvoice, RecurringInvoiceKind } from '@cofre/proto/invoices/v1/recurring'
import { recurringRequestSchema } from '../../src/routes/recurring/recurring-request'

const answered = Object.keys(recurringSchema.shape)

test('what a recurring invoice is made of is answered, member by member', () => {
  expect(answered).toEqual(expect.arrayContaining(Object.keys(recurringRequestSchema.shape)))
})

/** As the service tells of one with an item, which the first cycle has twice. */
const told = (kind: RecurringInvoiceKind) =>
  RecurringInvoice.fromPartial({
    kind,
    id: 12,
    status: 1,
    frequency: 3,
    collectionMethod: 2,
    onPaymentFailure: 1,
    startDateOverridden: true,
    terms: {},
    items: [
      { id: 1, productId: 5, description: 'Plano', quantity: 1, unitPriceInCents: 9_900 },
      { id: 2, productId: 5, description: 'Plano', quantity: 1, unitPriceInCents: 9_900, cycle: 1 },
    ],
  })

test('a start that is overridden is answered as it was asked for', () => {
  const recurring = recurringSchema.parse(presentRecurring(told(RecurringInvoiceKind.RECURRING)))
  expect(recurring.isBillingCycleStartDateOverridden).toBe(true)
})
