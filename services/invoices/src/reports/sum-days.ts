import { NO_SUM, readDaySums, sumsByRest, type DaySums } from '@cofre/platform/postgres/day-sums-store'
import { checkReportDays } from '@cofre/platform/report-days'
import { movementMethodFromJSON } from '@cofre/proto/invoices/v1/invoices'
import type {
  InvoiceDay,
  PastDueSum,
  SumInvoiceDaysRequest,
  SumInvoiceDaysResponse,
  SumPastDueRequest,
} from '@cofre/proto/invoices/v1/reports'
import type { Deps } from '../deps'
import { readPastDueSum } from './past-due-sum-store'

export async function sumDays(
  { pool }: Deps,
  { sellerId, ...days }: SumInvoiceDaysRequest,
): Promise<SumInvoiceDaysResponse> {
  const found = await readDaySums(pool, { sellerId, ...checkReportDays(days) })
  return { days: found.map(dayOf) }
}

function dayOf({ day, sums }: DaySums): InvoiceDay {
  return {
    day,
    payment: sums['payment'] ?? NO_SUM,
    refund: sums['refund'] ?? NO_SUM,
    return: sums['return'] ?? NO_SUM,
    dispute: sums['dispute'] ?? NO_SUM,
    disputeWon: sums['dispute_won'] ?? NO_SUM,
    writeOff: sums['write_off'] ?? NO_SUM,
    fee: sums['fee']?.amount ?? 0,
    methods: sumsByRest(sums, ['payment', 'refund', 'return']).map(({ rest, of }) => ({
      method: movementMethodFromJSON(`MOVEMENT_METHOD_${rest}`),
      ...of,
    })),
  }
}

export function sumPastDue({ pool }: Deps, { sellerId }: SumPastDueRequest): Promise<PastDueSum> {
  return readPastDueSum(pool, sellerId)
}
