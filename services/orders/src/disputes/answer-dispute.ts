import { databaseNow } from '@cofre/platform/service/database-clock'
import { DomainError, unavailable } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import type { Mark } from '@cofre/platform/idempotency/mark'
import type { Dispute as DisputeMessage } from '@cofre/proto/orders/v1/disputes'
import { termsFrom, type Deps } from '../deps'
import { beginAnswer, readDispute, saveAnswerOutcome, type DisputeKey } from '../dispute-store/dispute-store'
import type { AnswerOutcome } from '../acquirer/dispute-cases'
import { isNothingDone, recordAnswer, requestAnswer, type Wanted } from './answer'
import { sendAnswer } from './send-answer'
import { tellMoved } from './tell-moved'

/** The answer is the request's own: saved with its mark, sent, and saved with what became of it. */
export async function answerDispute(
  deps: Deps,
  key: DisputeKey,
  { mark, wanted }: { mark: Mark; wanted: Wanted },
): Promise<Replayable<DisputeMessage>> {
  const { acquirer } = await readDispute(deps.pool, key)
  const terms = termsFrom(deps, acquirer, mark.operationId)
  const begun = await beginAnswer(deps.pool, mark, key, (dispute) => requestAnswer(dispute, wanted, terms))
  if ('replayed' in begun) return begun
  const { answer } = begun.dispute
  if (!answer) throw new Error('an answer without its intention')
  const outcome = await sendAnswer(deps, begun, answer)
  const saved = await saveAnswerOutcome(deps.pool, begun.dispute, (dispute) =>
    recordAnswer(dispute, { answer, outcome, isFirst: true }, databaseNow()),
  )
  tellMoved(deps, begun.dispute, saved.dispute)
  if (outcome.result === 'refused' || isNothingDone(outcome)) throw notDone(outcome)
  return { response: saved.answer, replayed: false }
}

function notDone(outcome: AnswerOutcome): DomainError {
  if (outcome.result === 'not_sent' && outcome.refusal) return outcome.refusal
  if (outcome.result !== 'refused') return unavailable('The acquirer could not be reached; nothing was done.')
  const message = `The acquirer did not take the answer (code ${outcome.code}). Nothing was done.`
  return new DomainError('failed_precondition', 'DISPUTE_ANSWER_REFUSED', message)
}
