import { dayOf, startOf } from '@cofre/platform/calendar-day'
import type {
  CustomerAging,
  GetCustomerAgingRequest,
  ListDebtorsRequest,
  ListDebtorsResponse,
  OwedSum,
  SumOwedRequest,
} from '@cofre/proto/invoices/v1/reports'
import { CUSTOMERS } from '../catalog/customers/customer-store'
import { now } from '../clock/billing-clock'
import type { Deps } from '../deps'
import { daysLate } from '../invoice/rules/lateness'
import { checkPage } from '../request-check'
import { agingOf, debtOf } from './aging'
import { findDebtors, READ_MAX, readDebtors, readDueDays, SUMMED_MAX, type Debtor } from './owed-store'

export async function getCustomerAging(
  { pool }: Deps,
  { sellerId, customerId }: GetCustomerAgingRequest,
): Promise<CustomerAging> {
  const { name, document } = await CUSTOMERS.read(pool, { sellerId, id: customerId })
  const [debtor] = await readDebtors(pool, { sellerId, customerIds: [customerId] })
  return messageOf({ customerId, invoices: debtor?.invoices ?? [], name, document }, now())
}

export async function listDebtors(
  { pool }: Deps,
  { sellerId, size, after, place }: ListDebtorsRequest,
): Promise<ListDebtorsResponse> {
  checkPage({ page: 0, size })
  const { customerIds, next } = await findDebtors(pool, { sellerId, size, after, place })
  const debtors = await readDebtors(pool, { sellerId, customerIds })
  const at = now()
  // Who has paid meanwhile owes nothing.
  const owing = debtors.filter(({ invoices }) => invoices.length > 0)
  return { debtors: owing.map((debtor) => messageOf(debtor, at)), next: next?.id, place: next?.place }
}

export async function sumOwed({ pool }: Deps, { sellerId }: SumOwedRequest): Promise<OwedSum> {
  const at = now()
  const days = await readDueDays(pool, sellerId)
  const debts = days.map(({ dueDay, lateOn, ...debt }) => {
    const due = { status: 'CLOSED', lateOn, lateFrom: dueDay, dueDate: startOf(dueDay) } as const
    return { ...debt, days: daysLate(due, at) }
  })
  const counted = debts.reduce((sum, { count }) => sum + count, 0)
  return { day: dayOf(at), aging: agingOf(debts), isLowerBound: counted > SUMMED_MAX }
}

function messageOf({ customerId, name, document, invoices }: Debtor, at: number): CustomerAging {
  const { oldest, ...debt } = debtOf(invoices.slice(0, READ_MAX), at)
  return {
    ...debt,
    day: dayOf(at),
    customerId,
    name: name ?? oldest?.customer.name ?? '',
    document: document ?? oldest?.customer.document ?? '',
    isDeleted: name === null,
    oldestInvoiceId: oldest?.id,
    oldestInvoiceNumber: oldest?.invoiceNumber ?? '',
    isLowerBound: invoices.length > READ_MAX,
  }
}
