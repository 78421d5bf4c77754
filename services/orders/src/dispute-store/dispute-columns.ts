import { assigned, changing, changingTime, fixed, fixedTime, table } from '@cofre/platform/postgres/columns'
import type { Dispute } from '../disputes/dispute'

/** The one place that names the columns of a dispute. The statements of its stores are made from it. */
export const DISPUTES = table<Omit<Dispute, 'orderReference' | 'notificationUrl'>>({
  id: assigned,
  sellerId: fixed,
  establishmentId: fixed,
  chargeId: fixed,
  position: fixed,
  status: changing,
  stage: changing,
  amount: changing,
  withdrawnAmount: changing,
  reason: { prefix: 'reason_', fields: { code: changing, brand: changing, text: changing } },
  respondBy: changing,
  caseId: fixed,
  acquirerDisputeId: changing,
  tid: changing,
  nsu: changing,
  authorizationCode: changing,
  brand: changing,
  lastFour: changing,
  evidence: {
    prefix: 'evidence_',
    fields: {
      fileName: changing,
      contentType: changing,
      size: changing,
      reason: changing,
      submittedAt: changingTime,
    },
  },
  history: changing,
  answer: {
    prefix: 'answer_',
    fields: { kind: changing, operationId: changing, deadline: changingTime, by: changing },
  },
  askAt: changingTime,
  dueAt: changingTime,
  reminded: changing,
  version: changing,
  sequence: changing,
  createdAt: fixedTime,
  updatedAt: changingTime,
})
