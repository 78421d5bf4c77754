import { emailLanguageSchema } from '@cofre/api/invoice-email'
import { billingFrequency, collectionMethod, onPaymentFailure } from '@cofre/api/recurring-invoice'
import { epochMs } from '@cofre/api/schema'
import { z } from 'zod'
import { line, withRule } from '../fields/body-fields'
import { dueDate, id, itemSchema, MAX_TOTAL, termsFields, totalOf } from '../invoices/terms-request'

/** How a recurring invoice or a booklet is billed and collected. */
export const billingFields = {
  customerId: id(),
  daysUntilDue: z.int().min(0).max(365).default(0).meta({
    description:
      'The number of days from the cycle day to the due date of its invoice. With 0 it is due on the cycle day: that day costs neither fine nor interest, which begin on the day after it at the earliest.',
  }),
  billingFrequency: billingFrequency.schema,
  collectionMethod: collectionMethod.schema,
  orderReference: line().optional().meta({ description: 'Your own reference. You can list invoices by it.' }),
  cardId: id().optional().meta({
    description:
      'With CHARGE_AUTOMATICALLY: the stored card to charge, until the customer keeps another for automatic charges. Not a card of another customer. Default: the card that the customer stored.',
  }),
  onPaymentFailure: onPaymentFailure.schema.default('PAST_DUE').meta({
    description: 'What happens to an invoice after its last automatic charge failed.',
  }),
  cardPaysFineAndInterest: z.boolean().default(false).meta({
    description:
      'Whether an automatic charge asks for fine and interest too. Ask only for what the cardholder has agreed to. false: it asks for the agreed amount on each day, and the days on which a card is tried again cost neither fine nor interest, whoever pays: fine and interest of an invoice that has a card when it is made start after the last of them.',
  }),
  language: emailLanguageSchema
    .default('pt-BR')
    .meta({ description: 'The language of the e-mails that the customer gets.' }),
}

export const extraItemSchema = itemSchema
  .extend({
    cycle: z.int().min(1).max(10_000).meta({ description: 'The cycle that it is billed in, from 1.' }),
  })
  .meta({ id: 'ExtraItemRequest' })

const fields = z.object({
  ...billingFields,
  billingCycleStartDate: dueDate().optional(),
  isBillingCycleStartDateOverridden: z.boolean().default(false).meta({
    description:
      'true: Cofre keeps a billingCycleStartDate in the past and bills the missed cycles at once, at most 120. false: such a date means today.',
  }),
  nextCycleDueDate: epochMs().optional().meta({
    description:
      'When the first invoice is due, regardless of daysUntilDue: on the day of the first cycle or later. Epoch milliseconds.',
  }),
  recurringItems: z.array(itemSchema).min(1).max(500),
  extraItems: z.array(extraItemSchema).max(500).default([]).meta({
    description: 'A cycle has at most 500 items, including recurringItems.',
  }),
  ...termsFields,
})

type Extra = { cycle?: unknown }

const inEachCycle = withRule(fields, {
  code: 'MAX',
  detail: `must add up to at most ${MAX_TOTAL} cents`,
  path: ['recurringItems'],
  holds: ({ recurringItems }) => totalOf(recurringItems) <= MAX_TOTAL,
})

/** A new recurring invoice. */
export const recurringRequestSchema = withRule(inEachCycle, {
  code: 'MAX',
  detail: `must add up to at most ${MAX_TOTAL} cents with the items of each cycle`,
  path: ['extraItems'],
  holds: ({ recurringItems, extraItems }) =>
    totalOf(recurringItems) > MAX_TOTAL || mostOf(extraItems) <= MAX_TOTAL - totalOf(recurringItems),
}).meta({
  id: 'RecurringInvoiceRequest',
  examples: [
    {
      customerId: 5,
      billingCycleStartDate: 1_801_364_400_000,
      isBillingCycleStartDateOverridden: false,
      daysUntilDue: 5,
      billingFrequency: 'MONTHLY',
      collectionMethod: 'CHARGE_AUTOMATICALLY',
      orderReference: 'PLAN-77',
      notificationUrl: 'https://shop.example.com/hooks/invoices',
      recurringItems: [{ productId: 1, quantity: 1, unitPriceInCents: 9_900 }],
      extraItems: [{ productId: 2, quantity: 1, unitPriceInCents: 5_000, cycle: 1 }],
      fine: { percentageBps: 200, startsAfterDays: 1 },
      interest: { monthlyPercentageBps: 100, startsAfterDays: 1 },
    },
  ],
})

/** Returns the largest total of the extra items of one cycle, in cents. */
function mostOf(extraItems: unknown): number {
  if (!Array.isArray(extraItems)) return 0
  const totals = new Map<unknown, number>()
  for (const item of extraItems as (Extra | null)[]) {
    totals.set(item?.cycle, (totals.get(item?.cycle) ?? 0) + totalOf([item]))
  }
  return Math.max(0, ...totals.values())
}
