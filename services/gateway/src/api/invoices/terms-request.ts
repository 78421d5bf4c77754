import {
  basisPoints,
  discountSchema,
  fineSchema,
  interestSchema,
  sharePercent,
  startsAfterDays,
} from '@cofre/api/invoice-terms'
import { cents, epochMs } from '@cofre/api/schema'
import { z } from 'zod'
import { withExactlyOne } from '../fields/body-fields'
import { isSinceYear2000, NOT_IN_MILLISECONDS, YEAR_2000 } from '../fields/instant'
import { acceptedMethodsSchema } from './methods'

export const MAX_TOTAL = 99_999_999_999
export const id = () => z.int().min(1)

const KEPT = 'Kept and returned for your own accounts. The entries do not depend on it.'

const splitSchema = withExactlyOne(
  z.object({
    recipientId: id().meta({ description: 'A registered recipient.' }),
    amountInCents: cents(1).optional(),
    percentageBps: basisPoints().optional(),
    liable: z.boolean().default(false).meta({ description: KEPT }),
    chargeProcessingFee: z.boolean().default(false).meta({ description: KEPT }),
  }),
  ['amountInCents', 'percentageBps'],
  'ONE_UNIT',
).meta({ id: 'InvoiceSplitRequest', description: 'Exactly one of amountInCents and percentageBps.' })

const NOT_A_DAY = {
  code: 'TYPE',
  detail: 'must be epoch milliseconds, as a number or as digits: a date such as 2026-12-24 is not taken',
}

/** A moment. Older forms of the request give it as text. */
export const dueDate = () =>
  z
    .preprocess(
      (given, context) => {
        if (typeof given !== 'string') return given
        if (/^\d{1,15}$/.test(given)) return Number(given)
        context.addIssue({ code: 'custom', params: NOT_A_DAY })
        return z.NEVER
      },
      epochMs().refine(isSinceYear2000, NOT_IN_MILLISECONDS),
    )
    .meta({
      type: 'integer',
      format: 'int64',
      minimum: YEAR_2000,
      description:
        'Epoch milliseconds. A string of digits is accepted too. The due date is the day in America/Sao_Paulo.',
      examples: [1_772_463_600_000],
    })

const fromTheFirstDay = () => startsAfterDays().default(1).meta({ default: 1 })

const ZERO = 'One of 0 is none.'

const fineRequestSchema = withExactlyOne(
  fineSchema.extend({
    amountInCents: cents().optional(),
    percentageBps: basisPoints(0).optional(),
    startsAfterDays: fromTheFirstDay(),
  }),
  ['amountInCents', 'percentageBps'],
  'ONE_UNIT',
)
  .transform((fine) => (fine.amountInCents === 0 || fine.percentageBps === 0 ? undefined : fine))
  .meta({ id: 'InvoiceFineRequest', description: `${fineSchema.description} ${ZERO}` })

const interestRequestSchema = withExactlyOne(
  interestSchema.extend({
    dailyAmountInCents: cents().optional(),
    monthlyPercentageBps: basisPoints(0).optional(),
    startsAfterDays: fromTheFirstDay(),
  }),
  ['dailyAmountInCents', 'monthlyPercentageBps'],
  'ONE_UNIT',
)
  .transform((given) =>
    given.dailyAmountInCents === 0 || given.monthlyPercentageBps === 0 ? undefined : given,
  )
  .meta({ id: 'InvoiceInterestRequest', description: `${interestSchema.description} ${ZERO}` })

const discountRequestSchema = withExactlyOne(
  discountSchema.extend({ amountInCents: cents().optional(), percentage: sharePercent(0).optional() }),
  ['amountInCents', 'percentage'],
  'ONE_UNIT',
).meta({ id: 'InvoiceDiscountRequest', description: `${discountSchema.description} ${ZERO}` })

const isSomething = ({ amountInCents, percentage }: z.output<typeof discountRequestSchema>) =>
  amountInCents !== 0 && percentage !== 0

/** An item of an invoice. */
export const itemSchema = z
  .object({
    productId: id(),
    quantity: z.int().min(1).max(1_000_000),
    unitPriceInCents: cents(),
  })
  .meta({ id: 'InvoiceItemRequest' })

/** How an invoice may be paid, who gets a part, what lateness costs, and the URL that is notified of its payment. */
export const termsFields = {
  notificationUrl: z.string().max(2048).optional().meta({
    format: 'uri',
    description: 'Receives one notification, without a body, when the invoice is paid.',
  }),
  acceptedPaymentMethods: acceptedMethodsSchema.optional().meta({ description: 'Default: all.' }),
  partialPayments: z.boolean().default(false).meta({
    description:
      'Whether a boleto may pay a part of it. By default such money waits on the list of unexpected receipts.',
  }),
  splits: z.array(splitSchema).max(500).default([]).meta({
    description:
      'Among whom the money is split. Each movement of the invoice makes an entry for each recipient; what is left is yours. Cofre transfers no money, and the acquirer splits none.',
  }),
  fine: fineRequestSchema.optional(),
  interest: interestRequestSchema.optional(),
  discounts: z
    .array(discountRequestSchema)
    .max(3)
    .transform((discounts) => discounts.filter(isSomething))
    .default([])
    .meta({
      default: [],
      description:
        'For who pays all that is owed early enough. Each has other days, and leaves something of the total; the more days, the greater the discount.',
    }),
}

/** Returns cents. An invalid item counts nothing: it is a fault of its own. */
export function totalOf(items: unknown): number {
  if (!Array.isArray(items)) return 0
  return items.reduce<number>((sum, item: { quantity?: unknown; unitPriceInCents?: unknown } | null) => {
    const total = Number(item?.quantity) * Number(item?.unitPriceInCents)
    return Number.isFinite(total) ? sum + total : sum
  }, 0)
}
