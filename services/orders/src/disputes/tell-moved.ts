import { count } from '@cofre/platform/telemetry/metrics'
import type { Deps } from '../deps'
import type { Dispute } from './dispute'

/** Counts and logs a dispute that came to another status or stage than before. `before`: undefined when it is new. */
export function tellMoved(
  { log }: Pick<Deps, 'log'>,
  before: Dispute | undefined,
  { id: disputeId, chargeId, status, stage }: Dispute,
): void {
  if (status === before?.status && stage === before.stage) return
  count('disputes', 'Disputes that came to a status.', { status, stage })
  log.info({ disputeId, chargeId, status, stage }, 'dispute moved')
}
