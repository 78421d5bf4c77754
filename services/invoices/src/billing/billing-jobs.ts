import type { Deps } from '../deps'
import { nextLateAt } from '../invoice-store/past-due-store'
import { tellLate } from '../sweepers/tell-late'
import { billCycles } from './bill-cycles'
import type { BillingJob } from './billing-job'

/** What becomes due by the billing clock, in the order in which it is done at one moment. */
export function billingJobs(deps: Deps): BillingJob[] {
  const late: BillingJob = {
    name: 'tell-late',
    run: (at) => tellLate(deps, at),
    nextDueAt: () => nextLateAt(deps.pool),
  }
  return [billCycles(deps), late]
}
