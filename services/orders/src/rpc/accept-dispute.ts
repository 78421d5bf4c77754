import type { Replayable } from '@cofre/platform/grpc/replayable'
import { newMark } from '@cofre/platform/idempotency/mark'
import type { AcceptDisputeRequest, Dispute } from '@cofre/proto/orders/v1/disputes'
import { throwFaults } from '../charge/order-check'
import { answerDispute } from '../disputes/answer-dispute'
import type { Deps } from '../deps'
import { nameFaults } from '../disputes/evidence-check'

export async function acceptDispute(deps: Deps, request: AcceptDisputeRequest): Promise<Replayable<Dispute>> {
  const { sellerId, disputeId, answeredBy: by } = request
  throwFaults(nameFaults(by))
  return answerDispute(
    deps,
    { sellerId, id: disputeId },
    { mark: newMark(sellerId), wanted: { kind: 'ACCEPT', by } },
  )
}
