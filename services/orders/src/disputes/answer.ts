import { NO_MARKS, type Marks } from '@cofre/platform/idempotency/mark'
import type { Terms } from '@cofre/platform/operation/terms'
import type { AnswerOutcome } from '../acquirer/dispute-cases'
import { requireAnswerable, type Dispute, type PendingAnswer, type SentEvidence } from './dispute'
import { transition, type Change, type Decision } from './transition'

export type Wanted = { by: string } & (
  { kind: 'ACCEPT' } | { kind: 'CONTEST'; evidence: Omit<SentEvidence, 'submittedAt'> }
)

/** The intention to answer a dispute. Throws FAILED_PRECONDITION INVALID_DISPUTE_STATE. It has no event yet. */
export function requestAnswer(dispute: Dispute, wanted: Wanted, terms: Terms): Decision {
  requireAnswerable(dispute)
  const { operationId, deadline, at, firstAskAt } = terms
  const answer = { kind: wanted.kind, operationId, deadline, by: wanted.by }
  const sent = wanted.kind === 'CONTEST' ? { evidence: { ...wanted.evidence, submittedAt: at } } : {}
  return quiet(dispute, { answer, askAt: firstAskAt, ...sent }, at)
}

/** Lets an answer leave once more, when the first surely did not arrive. */
export function repeatAnswer(dispute: Dispute, answer: PendingAnswer, { deadline, at }: Terms): Decision {
  return quiet(dispute, { answer: { ...answer, deadline } }, at)
}

/**
 * Records what became of an answer that left. `isFirst`: its caller waits and learns what failed; a later end of it
 * has an event. The dispute as it is now may have ended it already.
 */
export function recordAnswer(
  dispute: Dispute,
  { answer, outcome, isFirst }: { answer: PendingAnswer; outcome: AnswerOutcome; isFirst: boolean },
  at: number,
): Decision {
  if (dispute.answer?.operationId !== answer.operationId) return quiet(dispute, {}, at)
  const ended = { answer: null, askAt: null }
  if (outcome.result === 'done') {
    const status = answer.kind === 'ACCEPT' ? ('ACCEPTED' as const) : ('UNDER_REVIEW' as const)
    return transition(dispute, { ...ended, status }, { at, text: '', marks: doneMarks(answer) })
  }
  if (outcome.result === 'refused' || (isFirst && isNothingDone(outcome))) {
    const dropped = { ...ended, ...(answer.kind === 'CONTEST' ? { evidence: null } : {}) }
    const marks = freedMarks(answer)
    return isFirst
      ? { ...quiet(dispute, dropped, at), marks }
      : transition(dispute, dropped, { at, text: '', marks })
  }
  // Not known, or an earlier answer is there: the case is asked about at once. The caller is answered meanwhile.
  const known = outcome.result === 'answered_before' ? { askAt: at } : {}
  return { ...quiet(dispute, known, at), marks: isFirst ? doneMarks(answer) : NO_MARKS }
}

/** Nothing reached the acquirer: the request may be made again. */
export function isNothingDone({ result }: AnswerOutcome): boolean {
  return result === 'not_sent' || result === 'busy'
}

export function doneMarks({ operationId }: PendingAnswer): Marks {
  return { answered: [operationId], freed: [] }
}

function freedMarks({ operationId }: PendingAnswer): Marks {
  return { answered: [], freed: [operationId] }
}

/** A change without an event. */
function quiet(dispute: Dispute, change: Change, at: number): Decision {
  const decision = transition(dispute, change, { at, text: '' })
  return { ...decision, events: [], dispute: { ...decision.dispute, sequence: dispute.sequence } }
}
