import { DomainError } from '@cofre/platform/errors'
import type { DisputeStage } from '../acquirer/dispute-cases'

export type DisputeStatus = 'NEEDS_RESPONSE' | 'UNDER_REVIEW' | 'WON' | 'LOST' | 'ACCEPTED' | 'EXPIRED'

/** `amount`: of the case at that moment. `answeredBy`, `fileName`: of the seller's own answer, where that was the move. */
export type HistoryEntry = {
  at: number
  status: DisputeStatus
  stage: DisputeStage
  text: string
  amount: number
  answeredBy: string | null
  fileName: string | null
}

/** The seller's answer, until it is known that the acquirer has it. Its file, if any, has the operation's id. */
export type PendingAnswer = {
  kind: 'ACCEPT' | 'CONTEST'
  operationId: string
  /** It may leave until then. */
  deadline: number
  by: string
}

/** What was sent to contest it. */
export type SentEvidence = {
  fileName: string
  contentType: string
  size: number
  reason: string
  submittedAt: number
}

/** A case of the acquirer, as the seller sees it. Amounts in cents, times in epoch milliseconds. */
export type Dispute = {
  id: number
  sellerId: number
  establishmentId: number
  /** Null: no payment of the seller is the sale. */
  chargeId: number | null
  position: number
  status: DisputeStatus
  stage: DisputeStage
  amount: number
  /** What the acquirer has taken back of it at this moment. */
  withdrawnAmount: number
  reason: { code: string; brand: string; text: string }
  /** A day in São Paulo. */
  respondBy: string | null
  caseId: string
  acquirerDisputeId: string
  tid: string
  nsu: string
  authorizationCode: string
  brand: string
  lastFour: string
  evidence: SentEvidence | null
  /** The oldest first. */
  history: readonly HistoryEntry[]
  answer: PendingAnswer | null
  /** When the case is asked about; null without an answer under way. */
  askAt: number | null
  /** When the seller is reminded, and then when it expires; null: nothing is due. */
  dueAt: number | null
  /** The seller was reminded of this stage. */
  reminded: boolean
  version: number
  /** Counts the events. */
  sequence: number
  createdAt: number
  updatedAt: number
  /** Of its charge. */
  orderReference: string | null
  notificationUrl: string | null
}

/** Throws FAILED_PRECONDITION INVALID_DISPUTE_STATE unless the seller may answer it now. */
export function requireAnswerable(dispute: Dispute): void {
  if (dispute.status === 'NEEDS_RESPONSE' && !dispute.answer) return
  const message = dispute.answer
    ? 'An answer to this dispute is already on its way. Read the dispute again.'
    : `The dispute is ${dispute.status}: it takes no answer.`
  const members = { currentStatus: dispute.status }
  throw new DomainError('failed_precondition', 'INVALID_DISPUTE_STATE', message, { members })
}
