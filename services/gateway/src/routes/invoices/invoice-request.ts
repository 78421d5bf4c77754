import { epochMs, MAX_EPOCH_MS } from '@cofre/api/schema'
import { z } from 'zod'
import { text, webUrl, withRule } from '../fields/body-fields'
import { dayOf } from './invoice-day'
import { dueDate, id, itemSchema, MAX_TOTAL, termsFields, totalOf } from './terms-request'

const fields = z.object({
  customerId: id(),
  dueDate: dueDate(),
  invoiceNumber: text()
    .refine((given) => given === given.trim() && !/[\r\n\t]/.test(given), {
      params: { code: 'FORMAT', detail: 'must not begin or end with a space, or contain a line break' },
    })
    .optional()
    .meta({ description: 'Unique among your invoices. Default: 000001, 000002 and so on.' }),
  successUrl: webUrl().optional().meta({
    description:
      'The checkout shows a link to it once the invoice is paid. The browser does not go there by itself.',
  }),
  paymentLimitDate: epochMs()
    .optional()
    .meta({ description: 'The last moment at which the invoice may be paid. Epoch milliseconds.' }),
  items: z.array(itemSchema).min(1).max(500),
  finalize: z.boolean().default(false).meta({
    description:
      'true: the invoice is finalized at once. It is CLOSED, awaits its payment, and has its charge.',
  }),
  ...termsFields,
})

const inTime = withRule(fields, {
  code: 'BEFORE_DUE_DATE',
  detail: 'must not be before the day of dueDate',
  path: ['paymentLimitDate'],
  holds: ({ dueDate: due, paymentLimitDate: limit }) =>
    typeof limit !== 'number' || !isDay(Number(due)) || !isDay(limit) || dayOf(Number(due)) <= dayOf(limit),
})

function isDay(moment: number): boolean {
  return moment >= 0 && moment <= MAX_EPOCH_MS
}

/** A new invoice. */
export const invoiceRequestSchema = withRule(inTime, {
  code: 'MAX',
  detail: `must add up to at most ${MAX_TOTAL} cents`,
  path: ['items'],
  holds: ({ items }) => totalOf(items) <= MAX_TOTAL,
}).meta({
  id: 'InvoiceRequest',
  examples: [
    {
      customerId: 5,
      dueDate: 1_772_463_600_000,
      items: [{ productId: 1, quantity: 2, unitPriceInCents: 5_000 }],
      acceptedPaymentMethods: [
        { method: 'CREDIT_CARD', cardSettings: { maxInstallments: 12, feePassThrough: false } },
      ],
      fine: { percentageBps: 200, startsAfterDays: 1 },
      interest: { monthlyPercentageBps: 100, startsAfterDays: 1 },
      notificationUrl: 'https://shop.example.com/hooks/invoices',
    },
  ],
})
