import { collectionMethod } from '@cofre/api/recurring-invoice'
import { z } from 'zod'
import { withRule } from '../fields/body-fields'
import { dueDate, itemSchema, MAX_TOTAL, termsFields, totalOf } from '../invoices/terms-request'
import { billingFields } from './recurring-request'

const fields = z.object({
  ...billingFields,
  collectionMethod: collectionMethod.schema.default('SEND_INVOICE').meta({
    description:
      'CHARGE_AUTOMATICALLY: a stored card is charged for each invoice on its due date. SEND_INVOICE: the customer pays the slips.',
  }),
  billingCycleStartDate: dueDate()
    .optional()
    .meta({ description: 'The first cycle’s day, today or later. Default: today. Epoch milliseconds.' }),
  chargesByBooklet: z.int().min(1).max(120).meta({
    description:
      'The number of invoices. With boletos, each is due within 5,500 days (15 years): banks read no later due date.',
  }),
  recurringItem: itemSchema,
  ...termsFields,
})

/** A new booklet. */
export const bookletRequestSchema = withRule(fields, {
  code: 'MAX',
  detail: `must add up to at most ${MAX_TOTAL} cents`,
  path: ['recurringItem'],
  holds: ({ recurringItem }) => totalOf([recurringItem]) <= MAX_TOTAL,
}).meta({
  id: 'BookletRequest',
  examples: [
    {
      customerId: 5,
      daysUntilDue: 5,
      billingFrequency: 'MONTHLY',
      collectionMethod: 'SEND_INVOICE',
      chargesByBooklet: 12,
      acceptedPaymentMethods: [
        { method: 'BOLETO', boletoSettings: { daysAfterDueDate: 30, instructions: ['Matrícula 1234.'] } },
      ],
      recurringItem: { productId: 1, quantity: 1, unitPriceInCents: 9_900 },
      fine: { percentageBps: 200, startsAfterDays: 1 },
      interest: { monthlyPercentageBps: 100, startsAfterDays: 1 },
    },
  ],
})
