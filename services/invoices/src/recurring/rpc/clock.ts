import { notFound } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { answerOfKey, newMark } from '@cofre/platform/idempotency/mark'
import {
  type AdvanceClockRequest,
  AdvanceClockResponse,
  type GetClockRequest,
  type GetClockResponse,
} from '@cofre/proto/invoices/v1/clock'
import { now } from '../../clock/billing-clock'
import { followClock } from '../../clock/clock-store'
import type { Deps } from '../../deps'
import { advanceBilling } from '../billing/advance-billing'
import { billingJobs } from '../billing/billing-jobs'

export async function getClock(
  { pool, billingClock }: Deps,
  _request: GetClockRequest,
): Promise<GetClockResponse> {
  if (billingClock !== 'movable') throw notFound()
  await followClock(pool)
  return { now: now() }
}

/** A request that is cut off leaves no mark: its repeat goes on from where the clock stands. */
export async function advanceClock(
  deps: Deps,
  { sellerId, to }: AdvanceClockRequest,
): Promise<Replayable<AdvanceClockResponse>> {
  const { pool, log, billingClock } = deps
  if (billingClock !== 'movable') throw notFound()
  const kept = await answerOfKey(pool, newMark(sellerId))
  if (kept) return { response: AdvanceClockResponse.decode(kept), replayed: true }
  const advanced = await advanceBilling(deps, billingJobs(deps), to)
  log.info({ to, ...advanced }, 'billing clock moved')
  return withIdempotency(pool, sellerId, AdvanceClockResponse, async () => ({ now: now(), ...advanced }))
}
