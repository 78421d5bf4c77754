import { DisputeStage, DisputeStatus, type Dispute as DisputeMessage } from '@cofre/proto/orders/v1/disputes'
import type { Dispute } from '../disputes/dispute'

export function toMessage(dispute: Dispute): DisputeMessage {
  const { reason, evidence } = dispute
  return {
    id: dispute.id,
    sellerId: dispute.sellerId,
    chargeId: dispute.chargeId ?? undefined,
    payment: dispute.position,
    status: DisputeStatus[dispute.status],
    stage: DisputeStage[dispute.stage],
    amount: dispute.amount,
    withdrawnAmount: dispute.withdrawnAmount,
    reason,
    respondBy: dispute.respondBy ?? '',
    acquirerCaseId: dispute.caseId,
    acquirerDisputeId: dispute.acquirerDisputeId,
    tid: dispute.tid,
    nsu: dispute.nsu,
    authorizationCode: dispute.authorizationCode,
    brand: dispute.brand,
    lastFour: dispute.lastFour,
    evidence: evidence ?? undefined,
    history: dispute.history.map(({ status, stage, answeredBy, fileName, ...entry }) => ({
      ...entry,
      status: DisputeStatus[status],
      stage: DisputeStage[stage],
      answeredBy: answeredBy ?? '',
      fileName: fileName ?? '',
    })),
    answering: dispute.answer !== null,
    openedAt: dispute.createdAt,
    updatedAt: dispute.updatedAt,
    orderReference: dispute.orderReference ?? undefined,
  }
}
