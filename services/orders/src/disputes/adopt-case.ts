import { isDeepStrictEqual } from 'node:util'
import { NO_MARKS } from '@cofre/platform/idempotency/mark'
import type { DisputeCase } from '../acquirer/dispute-cases'
import { doneMarks } from './answer'
import type { Dispute, DisputeStatus } from './dispute'
import { isNextStage, transition, type Change, type Decision } from './transition'

/**
 * Adopts the acquirer's state of a case. Undefined when it says nothing new. Holds for the dispute as it was when the
 * acquirer was asked.
 */
export function adoptCase(dispute: Dispute, found: DisputeCase, at: number): Decision | undefined {
  const { disputeId: acquirerDisputeId, stage, amount, reason, sale, text } = found
  const isNext = isNextStage(dispute, { stage, acquirerDisputeId })
  const status = statusOf(dispute, found, isNext)
  const { tid, nsu, authorizationCode, brand, lastFour } = sale
  // A treated case may come without its last day: the one that it had stays on show.
  const respondBy = found.respondBy ?? (isNext ? null : dispute.respondBy)
  const shown = { acquirerDisputeId, stage, status, amount, reason, respondBy }
  const change: Change = { ...shown, tid, nsu, authorizationCode, brand, lastFour }
  const { answer } = dispute
  const isAnswered = answer !== null && (isNext || status !== 'NEEDS_RESPONSE')
  // The acquirer has another answer than the file that was under way.
  const isOther = isAnswered && answer.kind === 'CONTEST' && ['ACCEPTED', 'EXPIRED'].includes(status)
  const ended: Change = isAnswered ? { answer: null, askAt: null } : {}
  const all = { ...change, ...ended, ...(isOther ? { evidence: null } : {}) }
  if (dispute.sequence > 0 && isSame(dispute, all)) return undefined
  return transition(dispute, all, { at, text, marks: isAnswered ? doneMarks(answer) : NO_MARKS })
}

function statusOf(dispute: Dispute, { state, answered }: DisputeCase, isNext: boolean): DisputeStatus {
  const known = isNext || dispute.sequence === 0 ? 'NEEDS_RESPONSE' : dispute.status
  // A list that was read before our answer arrived may still have the case.
  if (state === 'open') return known
  if (state === 'won') return 'WON'
  const by = answered ?? (known === 'NEEDS_RESPONSE' ? (dispute.answer?.kind ?? null) : null)
  if (by === 'ACCEPT' || known === 'ACCEPTED') return 'ACCEPTED'
  if (state === 'review') return 'UNDER_REVIEW'
  // Of an answer that nobody knows to have arrived, the acquirer would say that it was given.
  if (state === 'lost') return answered === null && known === 'NEEDS_RESPONSE' ? 'EXPIRED' : lostAs(known)
  if (by === 'CONTEST') return known === 'NEEDS_RESPONSE' ? 'UNDER_REVIEW' : known
  return known === 'NEEDS_RESPONSE' ? 'EXPIRED' : known
}

function lostAs(known: DisputeStatus): DisputeStatus {
  return known === 'EXPIRED' ? 'EXPIRED' : 'LOST'
}

function isSame(dispute: Dispute, change: Change): boolean {
  return Object.entries(change).every(([name, value]) =>
    isDeepStrictEqual(dispute[name as keyof Dispute], value),
  )
}
