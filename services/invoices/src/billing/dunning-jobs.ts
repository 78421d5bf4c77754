import type { Deps } from '../deps'
import { chargeAutomatically } from '../dunning/charge-automatically'
import { remind } from '../reminders/remind'
import type { BillingJob } from './billing-job'

/** What is done about invoices of cycles once they are made, in the order in which it is done at one moment. */
export function dunningJobs(deps: Deps): BillingJob[] {
  return [chargeAutomatically(deps), remind(deps)]
}
