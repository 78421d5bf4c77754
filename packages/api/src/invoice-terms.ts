import type { Discount } from '@cofre/proto/invoices/v1/invoices'
import { z } from 'zod'
import { cents } from './schema'

/** A share in hundredths of a percent. */
export function basisPoints(min = 1) {
  return z.int().min(min).max(10_000).meta({ description: 'Basis points: 200 is 2 %.' })
}

/** A part of a payment for another recipient, as answers show it. */
export const splitSchema = z
  .object({
    recipientId: z.int(),
    amountInCents: cents(1).optional(),
    percentageBps: basisPoints().optional(),
    liable: z.boolean(),
    chargeProcessingFee: z.boolean(),
  })
  .meta({ id: 'InvoiceSplit' })

/** The day from which lateness costs something. */
export function startsAfterDays() {
  return z.int().min(1).max(365).meta({ description: 'Days after the due date: 1 is the day after it.' })
}

/** The fine for lateness, due once, as answers show it. */
export const fineSchema = z
  .object({
    amountInCents: cents(1).optional(),
    percentageBps: basisPoints().optional(),
    startsAfterDays: startsAfterDays(),
  })
  .meta({ id: 'InvoiceFine', description: 'Exactly one of amountInCents and percentageBps.' })

/** The interest for each day of lateness, as answers show it. */
export const interestSchema = z
  .object({
    dailyAmountInCents: cents(1).optional(),
    monthlyPercentageBps: basisPoints().optional(),
    startsAfterDays: startsAfterDays(),
  })
  .meta({
    id: 'InvoiceInterest',
    description:
      'Exactly one of dailyAmountInCents and monthlyPercentageBps. Simple interest for each day from startsAfterDays on: 1/30 of the month, rounded down to the cent of one day.',
  })

const WHOLE_BPS = 100

/** A share in percent, with at most 2 decimals. */
export function sharePercent(min: number) {
  return z
    .number()
    .min(min)
    .max(99.99)
    .refine((given) => Math.abs(given * WHOLE_BPS - bpsOf(given)) < 1e-6, {
      params: { code: 'FORMAT', detail: 'must have at most 2 decimals' },
    })
    .meta({ description: 'Of the total, rounded down to the cent: 5 is 5 %, with at most 2 decimals.' })
}

/** A discount for early payment, as answers show it. */
export const discountSchema = z
  .object({
    daysBeforeDueDate: z.int().min(0).max(365).meta({
      description:
        'How many days before the due date its last day is. 0: the due date. On a weekend or national holiday, the last day is the business day before it.',
    }),
    amountInCents: cents(1).optional(),
    percentage: sharePercent(0.01).optional(),
  })
  .meta({ id: 'InvoiceDiscount', description: 'Exactly one of amountInCents and percentage.' })

type DiscountJson = z.output<typeof discountSchema>

export function presentDiscount({ daysBeforeDueDate, amountInCents, percentageBps }: Discount): DiscountJson {
  if (percentageBps === undefined) return { daysBeforeDueDate, amountInCents }
  return { daysBeforeDueDate, percentage: percentageBps / WHOLE_BPS }
}

/** A discount for the service. */
export function discountMessage({ daysBeforeDueDate, amountInCents, percentage }: DiscountJson): Discount {
  const percentageBps = percentage === undefined ? undefined : bpsOf(percentage)
  return { daysBeforeDueDate, amountInCents, percentageBps }
}

function bpsOf(percentage: number): number {
  return Math.round(percentage * WHOLE_BPS)
}
