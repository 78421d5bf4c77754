import type { ChargeReport, InvoiceReport } from '@cofre/api/reports/report'
import type { Period } from '../../api/reports/periods'

/** The money of a period, cents. What card holders took back of charges without an invoice is not known by day. */
export type Sales = Period & {
  captured: number
  paid: number
  refunded: number
  disputed: number
  /** What payers bore for their cards. */
  fees: number
  net: number
}

type Charges = ChargeReport['periods'][number]
type Invoices = InvoiceReport['periods'][number]

/** Both reports of the same periods as one. */
export function salesOf(charges: readonly Charges[], invoices: readonly Invoices[]): Sales[] {
  return charges.flatMap(({ from, to, captured, refunded }, index) => {
    const invoice = invoices[index]
    if (!invoice) return []
    return {
      from,
      to,
      captured: captured.amount,
      paid: invoice.payments.amountInCents,
      refunded: refunded.amount + invoice.refunds.amountInCents,
      disputed: invoice.disputes.amountInCents,
      fees: invoice.feeInCents,
      net: captured.amount - refunded.amount + invoice.netInCents,
    }
  })
}

export type Amount = Exclude<keyof Sales, keyof Period>

export function sumOf(sales: readonly Sales[], name: Amount): number {
  return sales.reduce((all, each) => all + each[name], 0)
}

/** What was sold: a charge of an invoice is a payment of it, and counts once. */
export function soldIn({ captured, paid }: Sales): number {
  return captured + paid
}
