import { readDaySums, sumsByRest } from '@cofre/platform/postgres/day-sums-store'
import { checkReportDays } from '@cofre/platform/report-days'
import type { SumVoucherDaysRequest, SumVoucherDaysResponse } from '@cofre/proto/vouchers/v1/reports'
import type { Deps } from '../deps'

export async function sumDays(
  { pool }: Deps,
  { sellerId, ...days }: SumVoucherDaysRequest,
): Promise<SumVoucherDaysResponse> {
  const found = await readDaySums(pool, { sellerId, ...checkReportDays(days) })
  return {
    days: found.map(({ day, sums }) => ({
      day,
      brands: sumsByRest(sums, ['paid', 'canceled']).map(({ rest, of }) => ({ brand: rest, ...of })),
    })),
  }
}
