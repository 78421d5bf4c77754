import { notFound } from '@cofre/platform/errors'
import type { CustomerAging, InvoiceDay, OwedSum, PastDueSum } from '@cofre/proto/invoices/v1/reports'
import type { ChargeDay } from '@cofre/proto/orders/v1/reports'
import type { VoucherDay } from '@cofre/proto/vouchers/v1/reports'

type Asked = { from: string; to: string }

/** The sums of days that a test sets. */
export function createChargeReports() {
  const days: ChargeDay[] = []
  return { days, answers: { sumDays: async (asked: Asked) => ({ days: within(days, asked) }) } }
}

export function createInvoiceReports() {
  const days: InvoiceDay[] = []
  const pastDue: PastDueSum = { count: 0, amount: 0, isLowerBound: false }
  const debtors: CustomerAging[] = []
  const owed: OwedSum = { day: '2026-03-12', aging: undefined, isLowerBound: false }
  const answers = {
    sumDays: async (asked: Asked) => ({ days: within(days, asked) }),
    sumPastDue: async () => pastDue,
    sumOwed: async () => owed,
    getCustomerAging: async ({ customerId }: { customerId: number }) => {
      const found = debtors.find((debtor) => debtor.customerId === customerId)
      if (!found) throw notFound()
      return found
    },
    listDebtors: async ({ size, after = 0 }: { size: number; after?: number | undefined }) => {
      const end = after + size
      return { debtors: debtors.slice(after, end), next: end < debtors.length ? end : undefined }
    },
  }
  return { days, pastDue, debtors, owed, answers }
}

export function createVoucherReports() {
  const days: VoucherDay[] = []
  return { days, answers: { sumDays: async (asked: Asked) => ({ days: within(days, asked) }) } }
}

function within<Day extends { day: string }>(days: readonly Day[], { from, to }: Asked): Day[] {
  return days.filter(({ day }) => from <= day && day <= to)
}
