import type { RecurringJson } from '@cofre/api/recurring-invoice'
import type { Field } from '../desk/fields'
import type { Creation } from '../desk/thing'
import type { Word } from '../words/portuguese'
import { word } from '../words/value'
import { COLLECTIONS } from '../bills/collected'
import { planCardFields, planCardOf } from '../bills/plan-card'
import { billBody, billFields } from './bill-fields'

export const FREQUENCIES: Record<RecurringJson['billingFrequency'], Word> = {
  WEEKLY: 'Weekly',
  BIWEEKLY: 'Every two weeks',
  MONTHLY: 'Monthly',
  BIMONTHLY: 'Every two months',
  QUARTERLY: 'Every three months',
  SEMIANNUALLY: 'Every six months',
  YEARLY: 'Yearly',
}

const ROWS = 3

const BILLING: readonly Field[] = [
  {
    name: 'billingFrequency',
    label: 'Frequency',
    kind: 'choice',
    value: 'MONTHLY',
    options: Object.entries(FREQUENCIES),
  },
  {
    name: 'billingCycleStartDate',
    label: 'First cycle',
    kind: 'day',
    hint: word('Empty: today.'),
  },
  {
    name: 'daysUntilDue',
    label: 'Days from the cycle to the due date',
    kind: 'number',
    value: '5',
    required: true,
  },
  { name: 'orderReference', label: 'Order reference', kind: 'text' },
]

/** Makes an invoice in each cycle. */
export const newRecurring: Creation = {
  operation: 'createRecurringInvoice',
  name: 'new',
  label: 'New recurring invoice',
  fields: async (ask, given) =>
    billFields(ask, given, ROWS, [
      ...BILLING,
      {
        name: 'collectionMethod',
        label: 'Payment',
        kind: 'choice',
        value: 'SEND_INVOICE',
        options: Object.entries(COLLECTIONS),
      },
      ...(await planCardFields(ask, given)),
    ]),
  body: async (typed, ask) => {
    const { cardId: _cardId, ...billed } = typed
    const chosen = await planCardOf(ask, typed)
    if ('faults' in chosen) return chosen
    return billBody(ask, ROWS, billed, ({ items: recurringItems, rest, ...bill }) => ({
      ...bill,
      ...rest,
      ...chosen.card,
      recurringItems,
    }))
  },
  done: 'The recurring invoice was created.',
}

/** Makes a fixed number of invoices at once, to print as slips. */
export const newBooklet: Creation = {
  operation: 'createBooklet',
  name: 'new-booklet',
  label: 'New booklet',
  fields: (ask, given) =>
    billFields(ask, given, 1, [
      ...BILLING,
      { name: 'chargesByBooklet', label: 'Number of invoices', kind: 'number', value: '12', required: true },
    ]),
  body: (typed, ask) =>
    billBody(ask, 1, typed, ({ items: [recurringItem], rest, ...bill }) => ({
      ...bill,
      ...rest,
      recurringItem,
    })),
  done: 'The booklet was created. Its slips can be printed once the bank has registered them.',
}
