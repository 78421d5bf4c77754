import { movementMethod } from '@cofre/api/methods/payment-methods'
import {
  chargeReportSchema,
  invoiceReportSchema,
  reportBy,
  voucherReportSchema,
} from '@cofre/api/reports/report'
import { daysBetween } from '@cofre/platform/calendar-day'
import { callRpc } from '@cofre/platform/grpc/client'
import { REPORT_DAYS_MAX } from '@cofre/platform/report-days'
import type { MoneySum } from '@cofre/proto/invoices/v1/reports'
import type { ChargeDay, Sum } from '@cofre/proto/orders/v1/reports'
import type { VoucherSum } from '@cofre/proto/vouchers/v1/reports'
import { z } from 'zod'
import { route } from '../../http/route'
import { day } from '../fields/body-fields'
import { inPeriods } from './periods'

const tag = 'Reports'
const SPAN_MAX = REPORT_DAYS_MAX - 1
const AT_MOST = `At most ${REPORT_DAYS_MAX} days, in America/Sao_Paulo, both included.`

const query = z
  .object({
    from: day().meta({ format: 'date', description: AT_MOST }),
    to: day().meta({ format: 'date', description: AT_MOST }),
    by: reportBy.default('day').meta({ default: 'day', description: 'A week begins on Monday.' }),
  })
  .refine(({ from, to }) => daysBetween(from, to) >= 0 && daysBetween(from, to) <= SPAN_MAX, {
    path: ['to'],
    params: { code: 'RANGE', detail: `must be from 0 to ${SPAN_MAX} days after \`from\`` },
  })

type Asked = z.output<typeof query>

const SUMMED = 'The sums are kept as things happen, so a report costs the same however much you sell.'

const reportCharges = route({
  method: 'GET',
  path: '/api/v2/reports/charges',
  scope: 'orders:read',
  operationId: 'reportCharges',
  tag,
  summary: 'Add up charges by day, week or month',
  description: `Approvals and declines count on the day of their charge; captures and refunds on the day when the money moved. Charges of amount 0, which verify a card, are left out. ${SUMMED}`,
  query,
  responses: { 200: { description: 'Each period, the oldest first.', schema: chargeReportSchema } },
  handle: ({ sellerId, query: { from, to } }, { services: { chargeReports } }) =>
    callRpc(chargeReports, chargeReports.sumDays, { sellerId, from, to }),
  present: ({ days }, view) => {
    const asked = view.query as Asked
    const periods = inPeriods(asked, days).map(({ days: within, ...period }) => ({
      ...period,
      approved: added(within, 'approved'),
      approvedPix: added(within, 'approvedPix'),
      denied: added(within, 'denied'),
      captured: added(within, 'captured'),
      refunded: added(within, 'refunded'),
      declines: declinesOf(within),
      methods: groupsOf(
        within.flatMap(({ methods }) => methods),
        ({ method }) => method,
      ).map(({ name, entries }) => ({
        method: name,
        captured: total(entries.map(({ captured }) => captured)),
        refunded: total(entries.map(({ refunded }) => refunded)),
      })),
      disputesWithdrawn: added(within, 'dispute'),
      disputesReturned: added(within, 'disputeWon'),
    }))
    return { status: 200, body: { ...asked, periods } }
  },
})

type SumName = 'approved' | 'approvedPix' | 'denied' | 'captured' | 'refunded' | 'dispute' | 'disputeWon'

function added(days: readonly ChargeDay[], name: SumName): Sum {
  return total(days.map((each) => each[name]))
}

function total(sums: readonly (Sum | MoneySum | undefined)[]): Sum {
  const of = (name: keyof Sum) => sums.reduce((all, each) => all + (each?.[name] ?? 0), 0)
  return { count: of('count'), amount: of('amount') }
}

/** What has one name, by that name, in alphabetical order. */
function groupsOf<Entry, Name extends string>(
  entries: readonly Entry[],
  nameOf: (entry: Entry) => Name,
): { name: Name; entries: Entry[] }[] {
  const groups = new Map<Name, Entry[]>()
  for (const entry of entries) groups.set(nameOf(entry), [...(groups.get(nameOf(entry)) ?? []), entry])
  return [...groups]
    .map(([name, some]) => ({ name, entries: some }))
    .sort((one, other) => one.name.localeCompare(other.name))
}

function declinesOf(days: readonly ChargeDay[]): { code: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const { code, count } of days.flatMap(({ declines }) => declines))
    counts.set(code, (counts.get(code) ?? 0) + count)
  return [...counts]
    .map(([code, count]) => ({ code, count }))
    .sort((one, other) => other.count - one.count || one.code.localeCompare(other.code))
}

const reportInvoices = route({
  method: 'GET',
  path: '/api/v2/reports/invoices',
  scope: 'invoices:read',
  operationId: 'reportInvoices',
  tag,
  summary: 'Add up the money of invoices by day, week or month',
  description: `Sums of the movements, on the day when the money moved, and what is past due now. ${SUMMED}`,
  query,
  responses: { 200: { description: 'Each period, the oldest first.', schema: invoiceReportSchema } },
  handle: async ({ sellerId, query: { from, to } }, { services: { invoiceReports } }) => {
    const [{ days }, pastDue] = await Promise.all([
      callRpc(invoiceReports, invoiceReports.sumDays, { sellerId, from, to }),
      callRpc(invoiceReports, invoiceReports.sumPastDue, { sellerId }),
    ])
    return { days, pastDue }
  },
  present: ({ days, pastDue: { count, amount, isLowerBound } }, view) => {
    const asked = view.query as Asked
    const periods = inPeriods(asked, days).map(({ days: within, ...period }) => {
      const payments = total(within.map(({ payment }) => payment))
      const refunds = total(within.flatMap((each) => [each.refund, each.return]))
      const taken = total(within.map(({ dispute }) => dispute))
      const won = total(within.map(({ disputeWon }) => disputeWon))
      const disputed = taken.amount - won.amount
      const feeInCents = within.reduce((all, { fee }) => all + fee, 0)
      return {
        ...period,
        payments: inCents(payments),
        refunds: inCents(refunds),
        disputes: { count: taken.count, amountInCents: disputed },
        disputesWithdrawn: inCents(taken),
        disputesReturned: inCents(won),
        methods: groupsOf(
          within.flatMap(({ methods }) => methods),
          ({ method }) => movementMethod.nameOf(method),
        ).map(({ name, entries }) => ({
          method: name,
          payments: inCents(total(entries.map(({ payment }) => payment))),
          refunds: inCents(total(entries.flatMap((each) => [each.refund, each.return]))),
        })),
        writeOffs: inCents(total(within.map(({ writeOff }) => writeOff))),
        feeInCents,
        netInCents: payments.amount - refunds.amount - disputed - feeInCents,
      }
    })
    return {
      status: 200,
      body: { ...asked, periods, pastDue: { count, amountInCents: amount, isLowerBound } },
    }
  },
})

function inCents({ count, amount }: Sum) {
  return { count, amountInCents: amount }
}

const reportVouchers = route({
  method: 'GET',
  path: '/api/v2/reports/vouchers',
  scope: 'vouchers:read',
  operationId: 'reportVouchers',
  tag,
  summary: 'Add up voucher payments by day, week or month',
  description: `Payments count on the day when they were paid, cancellations on the day when the money went back. ${SUMMED}`,
  query,
  responses: { 200: { description: 'Each period, the oldest first.', schema: voucherReportSchema } },
  handle: ({ sellerId, query: { from, to } }, { services: { voucherReports } }) =>
    callRpc(voucherReports, voucherReports.sumDays, { sellerId, from, to }),
  present: ({ days }, view) => {
    const asked = view.query as Asked
    const periods = inPeriods(asked, days).map(({ days: within, ...period }) => {
      const brands = within.flatMap((each) => each.brands)
      return {
        ...period,
        ...voucherSums(brands),
        brands: groupsOf(brands, ({ brand }) => brand).map(({ name, entries }) => ({
          brand: name,
          ...voucherSums(entries),
        })),
      }
    })
    return { status: 200, body: { ...asked, periods } }
  },
})

function voucherSums(sums: readonly VoucherSum[]): { paid: Sum; canceled: Sum } {
  return { paid: total(sums.map(({ paid }) => paid)), canceled: total(sums.map(({ canceled }) => canceled)) }
}

export const reportRoutes = [reportCharges, reportInvoices, reportVouchers]
