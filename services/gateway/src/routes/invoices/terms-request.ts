import {
  basisPoints,
  boletoSettingsSchema,
  cardSettingsSchema,
  fineSchema,
  interestSchema,
  startsAfterDays,
} from '@cofre/api/invoice-terms'
import { cents, epochMs } from '@cofre/api/schema'
import { z } from 'zod'
import { text, withExactlyOne, withRule } from '../fields/body-fields'
import { isSinceYear2000, NOT_IN_MILLISECONDS, YEAR_2000 } from '../fields/instant'

export const MAX_TOTAL = 99_999_999_999
export const id = () => z.int().min(1)

const methodFields = z.object({
  method: z.enum(['CREDIT_CARD', 'BOLETO']),
  cardSettings: cardSettingsSchema.optional(),
  boletoSettings: boletoSettingsSchema
    .extend({
      instructions: z
        .array(text(2_000))
        .max(20)
        .refine((lines) => lines.join('').length <= 2_000, {
          params: { code: 'LENGTH', detail: 'must have at most 2000 characters in total' },
        })
        .default([]),
    })
    .optional(),
})

const acceptedMethodSchema = [['BOLETO', 'cardSettings'] as const, ['CREDIT_CARD', 'boletoSettings'] as const]
  .reduce(
    (schema, [method, settings]) =>
      withRule(schema, {
        code: 'OTHER_METHOD',
        detail: 'belongs to another payment method',
        path: [settings],
        holds: (given) => given.method !== method || given[settings] === undefined,
      }),
    methodFields,
  )
  .meta({ id: 'AcceptedPaymentMethodRequest' })

const splitSchema = withExactlyOne(
  z.object({
    recipientId: id(),
    amountInCents: cents(1).optional(),
    percentageBps: basisPoints().optional(),
    liable: z.boolean().default(false),
    chargeProcessingFee: z.boolean().default(false),
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
      type: ['integer', 'string'],
      minimum: YEAR_2000,
      pattern: '^\\d{1,15}$',
      description:
        'Epoch milliseconds, as a number or a string. The due date is the day in America/Sao_Paulo.',
      examples: [1_772_463_600_000],
    })

const fromTheFirstDay = () => startsAfterDays().default(1).meta({ default: 1 })

const fineRequestSchema = withExactlyOne(
  fineSchema.extend({ startsAfterDays: fromTheFirstDay() }),
  ['amountInCents', 'percentageBps'],
  'ONE_UNIT',
).meta({ id: 'InvoiceFineRequest', description: fineSchema.description })

const interestRequestSchema = withExactlyOne(
  interestSchema.extend({ startsAfterDays: fromTheFirstDay() }),
  ['dailyAmountInCents', 'monthlyPercentageBps'],
  'ONE_UNIT',
).meta({ id: 'InvoiceInterestRequest', description: interestSchema.description })

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
  acceptedPaymentMethods: z
    .array(acceptedMethodSchema)
    .min(1)
    .max(2)
    .refine((methods) => new Set(methods.map(({ method }) => method)).size === methods.length, {
      params: { code: 'DUPLICATE', detail: 'must name each method once' },
    })
    .optional()
    .meta({ description: 'Default: all.' }),
  splits: z.array(splitSchema).max(500).default([]),
  fine: fineRequestSchema.optional(),
  interest: interestRequestSchema.optional(),
}

/** Returns cents. An invalid item counts nothing: it is a fault of its own. */
export function totalOf(items: unknown): number {
  if (!Array.isArray(items)) return 0
  return items.reduce<number>((sum, item: { quantity?: unknown; unitPriceInCents?: unknown } | null) => {
    const total = Number(item?.quantity) * Number(item?.unitPriceInCents)
    return Number.isFinite(total) ? sum + total : sum
  }, 0)
}
