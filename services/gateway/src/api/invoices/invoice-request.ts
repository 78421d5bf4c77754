import { invoiceSchema } from '@cofre/api/invoice'
import { epochMs, MAX_EPOCH_MS } from '@cofre/api/schema'
import { z } from 'zod'
import { uniqueName, webUrl, withRule } from '../fields/body-fields'
import { dayOf } from '@cofre/platform/calendar-day'
import { dueDate, id, itemSchema, MAX_TOTAL, termsFields, totalOf } from './terms-request'

const fields = z.object({
  customerId: id(),
  dueDate: dueDate(),
  invoiceNumber: uniqueName()
    .optional()
    .meta({ description: 'Unique among your invoices. Default: 000001, 000002 and so on.' }),
  successUrl: webUrl().optional().meta({
    description:
      'The checkout shows a link to it once the invoice is paid. The browser does not go there by itself.',
  }),
  paymentLimitDate: epochMs().optional().meta({
    description:
      'The last day on which the invoice may be paid, to its end in America/Sao_Paulo. Any moment of it, in epoch milliseconds.',
  }),
  items: z.array(itemSchema).min(1).max(500),
  finalize: z.boolean().default(false).meta({
    description:
      'true: the invoice is finalized at once. It is CLOSED, awaits its payment, and has its charge.',
  }),
  ...termsFields,
})

function isDay(moment: number): boolean {
  return moment >= 0 && moment <= MAX_EPOCH_MS
}

/** The rules between the fields. */
function withRules<Schema extends z.ZodObject>(schema: Schema): Schema {
  const inTime = withRule(schema, {
    code: 'BEFORE_DUE_DATE',
    detail: 'must not be before the day of dueDate',
    path: ['paymentLimitDate'],
    holds: ({ dueDate: due, paymentLimitDate: limit }) =>
      typeof limit !== 'number' || !isDay(Number(due)) || !isDay(limit) || dayOf(Number(due)) <= dayOf(limit),
  })
  return withRule(inTime, {
    code: 'MAX',
    detail: `must add up to at most ${MAX_TOTAL} cents`,
    path: ['items'],
    holds: ({ items }) => totalOf(items) <= MAX_TOTAL,
  })
}

/** A new invoice. */
export const invoiceRequestSchema = withRules(fields).meta({
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
      discounts: [{ daysBeforeDueDate: 10, percentage: 5 }],
      notificationUrl: 'https://shop.example.com/hooks/invoices',
    },
  ],
})

/** What a draft says from now on. */
export const invoiceReplacementSchema = withRules(
  fields.omit({ invoiceNumber: true, finalize: true }).extend({
    customerId: id().optional().meta({ description: 'Default: the customer stays.' }),
    updatedAt: epochMs().optional().meta({
      description:
        'The updatedAt that you read. When somebody has changed the draft since, yours is refused with INVOICE_CHANGED.',
    }),
  }),
).meta({
  id: 'InvoiceReplacement',
  examples: [
    {
      dueDate: 1_772_463_600_000,
      items: [{ productId: 1, quantity: 3, unitPriceInCents: 5_000 }],
      acceptedPaymentMethods: [{ method: 'PIX' }],
      discounts: [{ daysBeforeDueDate: 10, percentage: 5 }],
      updatedAt: 1_767_225_600_000,
    },
  ],
})

/** What a read of an invoice writes and a replacement ignores. */
export const READ_ONLY: readonly string[] = [
  ...Object.keys(invoiceSchema.shape).filter((name) => !(name in invoiceReplacementSchema.shape)),
  'items.id',
  'items.description',
  'items.totalInCents',
]
