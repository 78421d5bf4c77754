import { databaseNow } from '@cofre/platform/service/database-clock'
import type { AnswerOutcome } from '../acquirer/dispute-cases'
import type { Deps } from '../deps'
import { chunksOf } from '../dispute-store/evidence-store'
import type { StoredDispute } from '../dispute-store/dispute-store'
import type { PendingAnswer } from './dispute'

/** Sends an answer to the acquirer. Never past its deadline: from then on a sweeper may conclude that it did not leave. */
export async function sendAnswer(
  { acquirers, pool, log }: Deps,
  { dispute, account, acquirer, establishmentNumber }: StoredDispute,
  { kind, operationId, deadline, by }: PendingAnswer,
): Promise<AnswerOutcome> {
  const { disputes } = acquirers[acquirer]
  if (!disputes || databaseNow() >= deadline) return { result: 'not_sent' }
  const { caseId, acquirerDisputeId: disputeId, evidence } = dispute
  const answered = { establishmentNumber, caseId, disputeId, by }
  const dispatch = { account, deadline, requestId: operationId }
  const outcome =
    kind === 'CONTEST' && evidence
      ? await disputes.contest(answered, { ...evidence, chunks: chunksOf(pool, operationId) }, dispatch)
      : await disputes.accept(answered, dispatch)
  const { result } = outcome
  const code = result === 'refused' ? outcome.code : undefined
  log.info({ disputeId: dispute.id, kind, result, code }, 'acquirer answered')
  return outcome
}
