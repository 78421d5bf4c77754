import { z } from 'zod'
import { movementMethod } from '../methods/payment-methods'

/** What a report adds up: each period is a day, a week from Monday, or a month. */
export const reportBy = z.enum(['day', 'week', 'month']).meta({ id: 'ReportBy' })
export type ReportBy = z.output<typeof reportBy>

const day = () => z.string().meta({ format: 'date' })
const sum = z
  .object({ count: z.int(), amount: z.int().meta({ description: 'Cents of BRL.' }) })
  .meta({ id: 'ChargeSum' })
const inCents = z.object({ count: z.int(), amountInCents: z.int() }).meta({ id: 'InvoiceSum' })

const period = {
  from: day().meta({ format: 'date', description: 'The first day of the period, in America/Sao_Paulo.' }),
  to: day().meta({ format: 'date', description: 'The last day, included.' }),
}
const asked = { from: day(), to: day(), by: reportBy }

const chargePeriod = z
  .object({
    ...period,
    approved: sum.meta({
      description: 'Charges made in the period that the issuers of their cards approved.',
    }),
    approvedPix: sum.meta({ description: 'Charges made in the period that a Pix paid.' }),
    denied: sum.meta({ description: 'Charges made in the period that were declined.' }),
    captured: sum.meta({
      description:
        'Captures of the period, whenever their charges were made. Charges of invoices are left out.',
    }),
    refunded: sum.meta({
      description:
        'Refunds of the period, whenever their charges were made. Charges of invoices are left out.',
    }),
    declines: z
      .array(z.object({ code: z.string(), count: z.int() }).meta({ id: 'DeclineSum' }))
      .meta({ description: 'Declined payments by their code, the most frequent first.' }),
    methods: z
      .array(
        z
          .object({
            method: z.string().meta({ description: 'A card brand, or PIX.' }),
            captured: sum,
            refunded: sum,
          })
          .meta({ id: 'ChargeMethodSum' }),
      )
      .meta({
        description:
          'Captures and refunds by what paid. A charge that several cards paid counts once for each.',
      }),
    disputesWithdrawn: sum.meta({
      description:
        'What card holders took back through their banks, on the day when Cofre learned of it. Charges of invoices are left out.',
    }),
    disputesReturned: sum.meta({ description: 'What came back of it.' }),
  })
  .meta({ id: 'ChargePeriod' })

const SUM = { count: 2, amount: 15_000 }
const NONE = { count: 0, amount: 0 }
const DAYS = { from: '2026-01-01', to: '2026-01-01' }

export const chargeReportSchema = z.object({ ...asked, periods: z.array(chargePeriod) }).meta({
  id: 'ChargeReport',
  examples: [
    {
      ...DAYS,
      by: 'day',
      periods: [
        {
          ...DAYS,
          approved: SUM,
          approvedPix: NONE,
          denied: { count: 1, amount: 10_000 },
          captured: SUM,
          refunded: NONE,
          declines: [{ code: 'INSUFFICIENT_FUNDS', count: 1 }],
          methods: [{ method: 'VISA', captured: SUM, refunded: NONE }],
          disputesWithdrawn: NONE,
          disputesReturned: NONE,
        },
      ],
    },
  ],
})

const invoicePeriod = z
  .object({
    ...period,
    payments: inCents.meta({ description: 'Payments of invoices that came in the period.' }),
    refunds: inCents.meta({ description: 'What was given back, the way it came or in another way.' }),
    disputes: inCents.meta({
      description: 'What card holders took back, and what came back of it taken off.',
    }),
    disputesWithdrawn: inCents.meta({ description: 'What card holders took back through their banks.' }),
    disputesReturned: inCents.meta({ description: 'What came back of it.' }),
    methods: z
      .array(
        z
          .object({ method: movementMethod.schema, payments: inCents, refunds: inCents })
          .meta({ id: 'InvoiceMethodSum' }),
      )
      .meta({ description: 'Payments, and what was given back, by how the money moved.' }),
    writeOffs: inCents.meta({ description: 'What you stopped asking for. No money moved.' }),
    feeInCents: z
      .int()
      .meta({ description: 'What payers bore for their cards: it is in the amounts above.' }),
    netInCents: z.int().meta({
      description:
        'Payments less refunds, disputes and what payers bore. The acquirer’s fee is not known here.',
    }),
  })
  .meta({ id: 'InvoicePeriod' })

export const invoiceReportSchema = z
  .object({
    ...asked,
    periods: z.array(invoicePeriod),
    pastDue: z
      .object({
        count: z.int(),
        amountInCents: z.int().meta({ description: 'Without fine and interest.' }),
        isLowerBound: z.boolean().meta({ description: 'There are more than 10,000.' }),
      })
      .meta({ id: 'PastDueSum', description: 'The invoices that are past due now.' }),
  })
  .meta({
    id: 'InvoiceReport',
    examples: [
      {
        ...DAYS,
        by: 'day',
        periods: [
          {
            ...DAYS,
            payments: { count: 1, amountInCents: 10_000 },
            refunds: { count: 1, amountInCents: 2_500 },
            disputes: { count: 0, amountInCents: 0 },
            disputesWithdrawn: { count: 0, amountInCents: 0 },
            disputesReturned: { count: 0, amountInCents: 0 },
            methods: [
              {
                method: 'BOLETO',
                payments: { count: 1, amountInCents: 10_000 },
                refunds: { count: 1, amountInCents: 2_500 },
              },
            ],
            writeOffs: { count: 0, amountInCents: 0 },
            feeInCents: 0,
            netInCents: 7_500,
          },
        ],
        pastDue: { count: 3, amountInCents: 45_000, isLowerBound: false },
      },
    ],
  })

const voucherPeriod = z
  .object({
    ...period,
    paid: sum.meta({ description: 'Vouchers that paid in the period.' }),
    canceled: sum.meta({ description: 'Payments that were given back in the period.' }),
    brands: z.array(
      z.object({ brand: z.string(), paid: sum, canceled: sum }).meta({ id: 'VoucherBrandSum' }),
    ),
  })
  .meta({ id: 'VoucherPeriod' })

export const voucherReportSchema = z.object({ ...asked, periods: z.array(voucherPeriod) }).meta({
  id: 'VoucherReport',
  examples: [
    {
      ...DAYS,
      by: 'day',
      periods: [{ ...DAYS, paid: SUM, canceled: NONE, brands: [{ brand: 'VR', paid: SUM, canceled: NONE }] }],
    },
  ],
})

export type VoucherReport = z.output<typeof voucherReportSchema>
export type ChargeReport = z.output<typeof chargeReportSchema>
export type InvoiceReport = z.output<typeof invoiceReportSchema>
