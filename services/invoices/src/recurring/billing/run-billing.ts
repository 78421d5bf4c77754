import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { repeat, type Loop } from '@cofre/platform/service/lifecycle'
import { observe } from '@cofre/platform/telemetry/metrics'
import type { BillingJob } from '../../clock/billing-job'
import { billingJobs } from './billing-jobs'
import { now } from '../../clock/billing-clock'
import { followClock, isClockFree } from '../../clock/clock-store'
import type { Deps, SweeperDeps } from '../../deps'
import { startCharging } from '../../dunning/charge-automatically'
import { dayOf, startOf } from '@cofre/platform/calendar-day'
import { waitingCycles } from '../store/cycle-store'

/** How long another replica may take to learn that the clock was moved. */
const FOLLOW_EVERY_MS = 250

/** Runs each billing job at its time, in any number of replicas at once. */
export function startBilling(deps: SweeperDeps): Loop[] {
  const { log, pool, billingClock, billingEveryMs, pastDueEveryMs } = deps
  const failed = (what: string) => (err: unknown) => log.error({ err }, `${what} failed`)
  const isCharging = ({ name }: BillingJob) => name === 'charge-automatically'
  const charging = startCharging(deps, {
    everyMs: billingEveryMs,
    mayRun: () => mayRun(deps),
    onError: failed('charge-automatically'),
  })
  const jobs = billingJobs(deps).filter((job) => !isCharging(job))
  const loops = jobs.map((job) =>
    repeat(
      () => runNow(deps, job),
      job.name === 'tell-late' ? pastDueEveryMs : billingEveryMs,
      failed(job.name),
    ),
  )
  if (billingClock === 'real') return [...loops, charging]
  const follow = async () => {
    await followClock(pool)
    return 0
  }
  return [...loops, charging, repeat(follow, FOLLOW_EVERY_MS, failed('following of the billing clock'))]
}

/** How long a job rests after a batch, as a multiple of its time: sellers keep more than half of the service. */
const REST = 1.15

async function runNow(deps: SweeperDeps, job: BillingJob): Promise<number> {
  if (!(await mayRun(deps))) return 0
  const began = performance.now()
  const { seen } = await job.run(now())
  if (seen > 0) await pause(REST * (performance.now() - began))
  return seen
}

/** False while a caller moves the clock: that caller runs all jobs in their order. */
export async function mayRun({ pool, billingClock }: Pick<Deps, 'pool' | 'billingClock'>): Promise<boolean> {
  return billingClock === 'real' || isClockFree(pool)
}

/** Measures how many cycles wait to be billed, and for how long. */
export function observeCycles(pool: Pool): void {
  observe('billing_cycles_waiting', 'Recurring invoices with a due cycle, up to 10,000.', async () => {
    const { count } = await waitingCycles(pool, dayOf(now()))
    return count
  })
  observe(
    'billing_cycles_waiting_oldest_age_seconds',
    'How long the oldest due cycle has waited to be billed.',
    async () => {
      const { oldest } = await waitingCycles(pool, dayOf(now()))
      return oldest === null ? 0 : Math.max(0, (now() - startOf(oldest)) / 1_000)
    },
  )
}
