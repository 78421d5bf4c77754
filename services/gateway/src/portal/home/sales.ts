import type { ChargeReport, InvoiceReport, VoucherReport } from '@cofre/api/reports/report'
import type { Period } from '../../api/reports/periods'

/** What moved in one way, cents. `source`: whose list it is in; a charge of an invoice is in that of invoices alone. */
export type MethodSales = {
  source: 'charges' | 'invoices' | 'vouchers'
  /** A card brand, or PIX; of invoices: how the money moved. */
  method: string
  count: number
  sold: number
  refunded: number
}

/** The money of a period, cents. */
export type Sales = Period & {
  /** How often something was sold. */
  count: number
  captured: number
  paid: number
  vouchers: number
  refunded: number
  /** What card holders took back through their banks, and what came back of it. */
  disputed: number
  won: number
  /** What payers bore for their cards. */
  fees: number
  net: number
  methods: MethodSales[]
}

type Charges = ChargeReport['periods'][number]
type Invoices = InvoiceReport['periods'][number]
type Vouchers = VoucherReport['periods'][number]

/** The reports of the same periods as one. */
export function salesOf(
  charges: readonly Charges[],
  invoices: readonly Invoices[],
  vouchers: readonly Vouchers[],
): Sales[] {
  return charges.flatMap((charge, index) => {
    const [invoice, voucher] = [invoices[index], vouchers[index]]
    if (!invoice || !voucher) return []
    const { from, to, captured, refunded, disputesWithdrawn, disputesReturned } = charge
    const { paid, canceled } = voucher
    return {
      from,
      to,
      count: captured.count + invoice.payments.count + paid.count,
      captured: captured.amount,
      paid: invoice.payments.amountInCents,
      vouchers: paid.amount,
      refunded: refunded.amount + invoice.refunds.amountInCents + canceled.amount,
      disputed: disputesWithdrawn.amount + invoice.disputesWithdrawn.amountInCents,
      won: disputesReturned.amount + invoice.disputesReturned.amountInCents,
      fees: invoice.feeInCents,
      net:
        captured.amount -
        refunded.amount -
        disputesWithdrawn.amount +
        disputesReturned.amount +
        invoice.netInCents +
        paid.amount -
        canceled.amount,
      methods: methodsOf(charge, invoice, voucher),
    }
  })
}

function methodsOf(charge: Charges, invoice: Invoices, voucher: Vouchers): MethodSales[] {
  return [
    ...charge.methods.map(({ method, captured, refunded }) => ({
      source: 'charges' as const,
      method,
      count: captured.count,
      sold: captured.amount,
      refunded: refunded.amount,
    })),
    ...invoice.methods.map(({ method, payments, refunds }) => ({
      source: 'invoices' as const,
      method,
      count: payments.count,
      sold: payments.amountInCents,
      refunded: refunds.amountInCents,
    })),
    ...voucher.brands.map(({ brand, paid, canceled }) => ({
      source: 'vouchers' as const,
      method: brand,
      count: paid.count,
      sold: paid.amount,
      refunded: canceled.amount,
    })),
  ]
}

export type Amount = Exclude<keyof Sales, keyof Period | 'count' | 'methods'>

export function sumOf(sales: readonly Sales[], name: Amount): number {
  return sales.reduce((all, each) => all + each[name], 0)
}

/** What was sold: a charge of an invoice is a payment of it, and counts once. */
export function soldIn({ captured, paid, vouchers }: Sales): number {
  return captured + paid + vouchers
}

/** What moved in each way in all of the periods. */
export function byMethod(sales: readonly Sales[]): MethodSales[] {
  const sums = new Map<string, MethodSales>()
  for (const each of sales.flatMap(({ methods }) => methods)) {
    const key = `${each.source} ${each.method}`
    const sum = sums.get(key)
    sums.set(
      key,
      sum
        ? {
            ...sum,
            count: sum.count + each.count,
            sold: sum.sold + each.sold,
            refunded: sum.refunded + each.refunded,
          }
        : each,
    )
  }
  return [...sums.values()]
}
