import type { Deps } from '../deps'
import { chargeAutomatically } from '../dunning/charge-automatically'
import { nextLateAt } from '../invoice-store/past-due-store'
import { remind } from '../reminders/remind'
import { tellLate } from '../sweepers/tell-late'
import { billCycles } from './bill-cycles'
import type { BillingJob } from './billing-job'

/** The jobs that run by the billing clock, in the order in which they run at one moment. */
export function billingJobs(deps: Deps): BillingJob[] {
  const late: BillingJob = {
    name: 'tell-late',
    run: async (at) => {
      const told = await tellLate(deps, at)
      return { seen: told, done: told }
    },
    nextDueAt: () => nextLateAt(deps.pool),
  }
  return [billCycles(deps), chargeAutomatically(deps), remind(deps), late]
}
