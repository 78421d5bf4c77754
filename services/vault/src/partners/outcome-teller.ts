import { reportedOutcome, type PartnerOutcome } from '@cofre/platform/outbound/partner-call'
import { tellSome } from '@cofre/platform/telemetry/bounded-log'
import type { Logger } from '@cofre/platform/telemetry/log'

/** The facts of a call, as the log names them. */
export type CallFacts = { sellerId: number; partner: string; route: string; ms: number }

export type OutcomeTeller = (call: CallFacts, result: PartnerOutcome, tokensExpire: boolean) => void

/**
 * Logs a line for each call to a partner. It also warns when the partner gave no clear answer or does not know the
 * seller. After the first warnings it logs at most one a second.
 */
export function outcomeTeller(log: Logger): OutcomeTeller {
  const unclear = tellSome((facts) => log.warn(facts, 'partner gave no clear answer'))
  const turnedAway = tellSome((facts) => log.warn(facts, 'partner refused a call'))
  return (call, result, tokensExpire) => {
    const { outcome } = result
    const detail = outcome === 'answered' ? { status: result.answer.status } : { reason: result.reason }
    const facts = { ...call, outcome, ...detail }
    log.info(facts, 'partner called')
    const reported = reportedOutcome(result, tokensExpire)
    if (reported === 'turned_away') turnedAway(facts)
    else if (reported !== 'answered') unclear(facts)
  }
}
