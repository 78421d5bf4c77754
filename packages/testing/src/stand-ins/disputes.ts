import { DomainError, notFound, unavailable } from '@cofre/platform/errors'
import { currentCall, runCall } from '@cofre/platform/grpc/call-context'
import type { ServedService } from '@cofre/platform/grpc/server'
import type { Logger } from '@cofre/platform/telemetry/log'
import {
  Dispute,
  DisputesService,
  DisputeStage,
  DisputeStatus,
  type AcceptDisputeRequest,
  type EvidenceHead,
  type GetDisputeRequest,
  type ListDisputesRequest,
  type SubmitEvidenceRequest,
} from '@cofre/proto/orders/v1/disputes'
import { standIn, type OnCall } from '../stand-in'
import type { createMarks } from './marks'

const FILE_MAX = 8 * 1024 * 1024

/** Disputes in memory. `hints`: the establishment numbers of which news came. */
export function createDisputes(
  marks: ReturnType<typeof createMarks>,
  { onCall }: { onCall?: OnCall | undefined },
) {
  const disputes = new Map<number, Dispute>()
  const asked: { list: ListDisputesRequest[]; heads: EvidenceHead[]; accepts: AcceptDisputeRequest[] } = {
    list: [],
    heads: [],
    accepts: [],
  }
  const hints: string[] = []
  /** A dispute of a seller that waits for its answer. */
  const open = (sellerId: number, changes: Partial<Dispute> = {}): Dispute => {
    const dispute = Dispute.fromPartial({ ...OPENED, id: disputes.size + 1, sellerId, ...changes })
    disputes.set(dispute.id, dispute)
    return dispute
  }
  const find = ({ sellerId, disputeId }: GetDisputeRequest): Dispute => {
    const dispute = disputes.get(disputeId)
    if (dispute?.sellerId !== sellerId) throw notFound()
    return dispute
  }
  const answer = (request: GetDisputeRequest, change: Partial<Dispute>) =>
    marks.once(request.sellerId, Dispute, () => {
      const dispute = find(request)
      if (dispute.status !== DisputeStatus.NEEDS_RESPONSE) throw notOpen(dispute)
      disputes.set(dispute.id, { ...dispute, ...change })
      return find(request)
    })
  const answers = {
    listDisputes: async (request: ListDisputesRequest) => {
      asked.list.push(request)
      const found = [...disputes.values()]
        .filter(
          ({ sellerId, chargeId }) =>
            sellerId === request.sellerId && chargeId === (request.chargeId ?? chargeId),
        )
        .reverse()
      return {
        disputes: found.slice(0, request.size),
        total: found.length,
        totalIsLowerBound: false,
        more: false,
      }
    },
    getDispute: async (request: GetDisputeRequest) => find(request),
    acceptDispute: async (request: AcceptDisputeRequest) => {
      asked.accepts.push(request)
      return answer(request, { status: DisputeStatus.ACCEPTED })
    },
    submitEvidence: async (messages: AsyncIterable<SubmitEvidenceRequest>) => {
      const { head, file } = await readFile(messages)
      asked.heads.push(head)
      const { fileName, contentType, reason } = head
      const evidence = { fileName, contentType, reason, size: file.length, submittedAt: OPENED.openedAt }
      return withFile(file, () => answer(head, { status: DisputeStatus.UNDER_REVIEW, evidence }))
    },
    takeDisputeHint: async ({ establishmentNumber }: { establishmentNumber: string }) => {
      hints.push(establishmentNumber)
      return {}
    },
  }
  const service = (log: Logger): ServedService => standIn(log, DisputesService, answers, { onCall })
  return { disputes, asked, hints, open, service }
}

const OPENED = {
  payment: 0,
  status: DisputeStatus.NEEDS_RESPONSE,
  stage: DisputeStage.CHARGEBACK,
  amount: 10_000,
  withdrawnAmount: 10_000,
  reason: { code: '104', brand: 'VISA', text: 'Outra fraude: cartão ausente' },
  respondBy: '2026-01-12',
  acquirerCaseId: '49701065',
  acquirerDisputeId: '20451',
  brand: 'VISA',
  lastFour: '1111',
  openedAt: 1_767_279_600_000,
  updatedAt: 1_767_279_600_000,
}

async function readFile(messages: AsyncIterable<SubmitEvidenceRequest>) {
  const pieces: Buffer[] = []
  let head: EvidenceHead | undefined
  let size: number | undefined
  for await (const message of messages) {
    head ??= message.head
    size = message.size
    if (message.bytes) pieces.push(Buffer.from(message.bytes))
  }
  if (!head) throw new Error('a file without its head')
  const file = Buffer.concat(pieces)
  if (size !== file.length) throw unavailable('The file was cut off.')
  if (file.length > FILE_MAX)
    throw new DomainError('invalid_argument', 'BODY_TOO_LARGE', 'The file is too large.')
  return { head, file }
}

/** The body of the request is the head and the file. */
function withFile<T>(file: Buffer, work: () => T): T {
  const call = currentCall()
  if (!call?.idempotency) return work()
  const { fingerprint } = call.idempotency
  return runCall(
    { ...call, idempotency: { ...call.idempotency, fingerprint: fingerprint + file.toString('hex') } },
    work,
  )
}

function notOpen({ status }: Dispute): DomainError {
  const members = { currentStatus: status }
  return new DomainError('failed_precondition', 'INVALID_DISPUTE_STATE', 'It takes no answer.', { members })
}
