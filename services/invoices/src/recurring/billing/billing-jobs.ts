import type { BillingJob } from '../../clock/billing-job'
import type { Deps } from '../../deps'
import { chargeAutomatically } from '../../dunning/charge-automatically'
import { remind } from '../../dunning/reminders/remind'
import { tellLateJob } from '../../dunning/tell-late'
import { releaseHeldLetters } from '../../letters/release-held'
import { collectByPix } from '../pix-automatic/collect-by-pix'
import { billCycles } from './bill-cycles'

/** The jobs that run by the billing clock, in the order in which they run at one moment. */
export function billingJobs(deps: Deps): BillingJob[] {
  return [
    billCycles(deps),
    collectByPix(deps),
    chargeAutomatically(deps),
    releaseHeldLetters(deps),
    remind(deps),
    tellLateJob(deps),
  ]
}
