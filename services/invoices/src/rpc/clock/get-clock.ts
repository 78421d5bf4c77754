import { notFound } from '@cofre/platform/errors'
import type { GetClockRequest, GetClockResponse } from '@cofre/proto/invoices/v1/clock'
import { now } from '../../clock/billing-clock'
import { followClock } from '../../clock/clock-store'
import type { Deps } from '../../deps'

export async function getClock(
  { pool, billingClock }: Deps,
  _request: GetClockRequest,
): Promise<GetClockResponse> {
  if (billingClock !== 'movable') throw notFound()
  await followClock(pool)
  return { now: now() }
}
