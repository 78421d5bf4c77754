import { NO_SUM, readDaySums, sumsByRest, type DaySums } from '@cofre/platform/postgres/day-sums-store'
import { checkReportDays } from '@cofre/platform/report-days'
import type { ChargeDay, SumDaysRequest, SumDaysResponse } from '@cofre/proto/orders/v1/reports'
import type { Deps } from '../deps'

const DECLINED = 'declined '

export async function sumDays(
  { pool }: Deps,
  { sellerId, ...days }: SumDaysRequest,
): Promise<SumDaysResponse> {
  const found = await readDaySums(pool, { sellerId, ...checkReportDays(days) })
  return { days: found.map(dayOf) }
}

function dayOf({ day, sums }: DaySums): ChargeDay {
  const declines = Object.entries(sums)
    .filter(([name, { count }]) => name.startsWith(DECLINED) && count > 0)
    .map(([name, { count }]) => ({ code: name.slice(DECLINED.length), count }))
  return {
    day,
    approved: sums['approved'] ?? NO_SUM,
    approvedPix: sums['approved_pix'] ?? NO_SUM,
    denied: sums['denied'] ?? NO_SUM,
    captured: sums['captured'] ?? NO_SUM,
    refunded: sums['refunded'] ?? NO_SUM,
    declines,
    methods: sumsByRest(sums, ['captured', 'refunded']).map(({ rest, of }) => ({ method: rest, ...of })),
    dispute: sums['dispute'] ?? NO_SUM,
    disputeWon: sums['dispute_won'] ?? NO_SUM,
  }
}
