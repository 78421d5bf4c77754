import type { Aging, CustomerAging, ListDebtorsResponse, OwedSum } from '@cofre/proto/invoices/v1/reports'
import { z } from 'zod'

const sum = z.object({ count: z.int(), amountInCents: z.int() }).meta({ id: 'OwedInvoices' })

const agingSchema = z
  .object({
    owed: sum.meta({ description: 'All that is owed, without fine and interest.' }),
    pastDue: sum.meta({ description: 'The part of it that is late.' }),
    notDue: sum.meta({ description: 'What may still be paid in time.' }),
    days1To30: sum.meta({ description: 'Late for 1 to 30 days.' }),
    days31To60: sum.meta({ description: 'Late for 31 to 60 days.' }),
    days61To90: sum.meta({ description: 'Late for 61 to 90 days.' }),
    over90Days: sum.meta({ description: 'Late for more than 90 days.' }),
  })
  .meta({ id: 'Aging' })

const day = () =>
  z.string().meta({ format: 'date', description: 'The day of which the amounts are, in America/Sao_Paulo.' })

const NONE = { count: 0, amountInCents: 0 }
const SUMS = {
  owed: { count: 3, amountInCents: 30_000 },
  pastDue: { count: 2, amountInCents: 20_000 },
  notDue: { count: 1, amountInCents: 10_000 },
  days1To30: { count: 1, amountInCents: 10_000 },
  days31To60: { count: 1, amountInCents: 10_000 },
  days61To90: NONE,
  over90Days: NONE,
}
const EXAMPLE = {
  day: '2026-01-01',
  customer: { id: 5, name: 'Ana Souza', document: '12345678909', isDeleted: false },
  ...SUMS,
  fineInCents: 400,
  interestInCents: 150,
  daysLate: 42,
  oldestInvoice: { id: 77, invoiceNumber: '000001' },
  isLowerBound: false,
}

export const customerAgingSchema = z
  .object({
    day: day(),
    customer: z
      .object({
        id: z.int(),
        name: z.string(),
        document: z.string().meta({ description: 'CPF or CNPJ, without punctuation.' }),
        isDeleted: z
          .boolean()
          .meta({ description: 'You deleted the customer: this is what the invoices say.' }),
      })
      .meta({ id: 'AgingCustomer' }),
    ...agingSchema.shape,
    fineInCents: z.int().meta({ description: 'The fines of that day, which come on top.' }),
    interestInCents: z.int().meta({ description: 'The interest of that day, which comes on top.' }),
    daysLate: z.int().meta({ description: 'How late the oldest invoice is. 0: nothing is late.' }),
    oldestInvoice: z
      .object({ id: z.int(), invoiceNumber: z.string() })
      .nullable()
      .meta({ id: 'OldestInvoice', description: 'Null: nothing is owed.' }),
    isLowerBound: z
      .boolean()
      .meta({ description: 'The customer has more than 1,000 open invoices; these are the oldest.' }),
  })
  .meta({ id: 'CustomerAging', examples: [EXAMPLE] })

export const agingReportSchema = z
  .object({
    day: day(),
    total: agingSchema.meta({ description: 'What all customers owe together.' }),
    totalIsLowerBound: z
      .boolean()
      .meta({ description: 'More than 100,000 invoices are open; these are the oldest.' }),
    content: z.array(customerAgingSchema),
    next: z
      .int()
      .nullable()
      .meta({ description: 'The `after` of the page that follows. Null: this is the last page.' }),
    nextPlace: z
      .string()
      .nullable()
      .meta({ description: 'The `place` of that page: it is found even if what `next` names has changed.' }),
  })
  .meta({
    id: 'AgingReport',
    examples: [
      {
        day: '2026-01-01',
        total: SUMS,
        totalIsLowerBound: false,
        content: [EXAMPLE],
        next: null,
        nextPlace: null,
      },
    ],
  })

export type AgingJson = z.output<typeof agingSchema>
export type CustomerAgingJson = z.output<typeof customerAgingSchema>
export type AgingReport = z.output<typeof agingReportSchema>

export function presentAging(aging: Aging | undefined): AgingJson {
  const of = (each: { count: number; amount: number } | undefined) => ({
    count: each?.count ?? 0,
    amountInCents: each?.amount ?? 0,
  })
  const notDue = of(aging?.notDue)
  const late = {
    days1To30: of(aging?.days1To30),
    days31To60: of(aging?.days31To60),
    days61To90: of(aging?.days61To90),
    over90Days: of(aging?.over90Days),
  }
  const pastDue = added(Object.values(late))
  return { owed: added([notDue, pastDue]), pastDue, notDue, ...late }
}

type Owed = z.output<typeof sum>

function added(sums: readonly Owed[]): Owed {
  return sums.reduce(
    (all, { count, amountInCents }) => ({
      count: all.count + count,
      amountInCents: all.amountInCents + amountInCents,
    }),
    NONE,
  )
}

export function presentCustomerAging(debtor: CustomerAging): CustomerAgingJson {
  const { customerId, name, document, isDeleted, oldestInvoiceId, oldestInvoiceNumber } = debtor
  return {
    day: debtor.day,
    customer: { id: customerId, name, document, isDeleted },
    ...presentAging(debtor.aging),
    fineInCents: debtor.fine,
    interestInCents: debtor.interest,
    daysLate: debtor.daysLate,
    oldestInvoice:
      oldestInvoiceId === undefined ? null : { id: oldestInvoiceId, invoiceNumber: oldestInvoiceNumber },
    isLowerBound: debtor.isLowerBound,
  }
}

export function presentAgingReport(
  { day: of, aging, isLowerBound }: OwedSum,
  { debtors, next, place }: ListDebtorsResponse,
): AgingReport {
  return {
    day: of,
    total: presentAging(aging),
    totalIsLowerBound: isLowerBound,
    content: debtors.map(presentCustomerAging),
    next: next ?? null,
    nextPlace: place ?? null,
  }
}
