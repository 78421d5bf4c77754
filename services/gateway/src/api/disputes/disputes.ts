import { disputeSchema, disputeStatus, presentDispute } from '@cofre/api/disputes/dispute'
import { pageSchema } from '@cofre/api/page'
import { callRepeatable, callRpc, streamRepeatable } from '@cofre/platform/grpc/client'
import { Dispute, type EvidenceHead, type SubmitEvidenceRequest } from '@cofre/proto/orders/v1/disputes'
import { z } from 'zod'
import type { Answer } from '../../http/answer'
import { answerPage } from '../../http/page-answer'
import { route, type ResponseRule, type View } from '../../http/route'
import { MOVING_MONEY } from '../charge-answer'
import { day } from '../fields/body-fields'
import { pathId } from '../fields/path-fields'
import { afterQuery, pageQuery, queryBound, queryInteger, queryNames } from '../fields/query-fields'
import { acceptRequestSchema, evidenceRequestSchema, EVIDENCE_BYTES_MAX } from './dispute-request'

const tag = 'Disputes'
const byId = z.object({ id: pathId })
/** The sweeper asks soon. */
const ASK_AGAIN_SECONDS = '2'

const ANSWERED: ResponseRule = {
  description:
    'The dispute. While `answering` is true, Cofre is finding out whether the acquirer has your answer: read the dispute again after Retry-After.',
  schema: disputeSchema,
  headers: ['Location'],
  headersAtTimes: ['Retry-After'],
}

function askAgain({ answering }: Dispute): Record<string, string> {
  return answering ? { 'Retry-After': ASK_AGAIN_SECONDS } : {}
}

function answerDispute(dispute: Dispute, { baseUrl }: View): Answer {
  const Location = `${baseUrl}/api/v2/disputes/${dispute.id}`
  return { status: 201, headers: { Location, ...askAgain(dispute) }, body: presentDispute(dispute) }
}

const getDispute = route({
  method: 'GET',
  path: '/api/v2/disputes/{id}',
  scope: 'disputes:read',
  operationId: 'getDispute',
  tag,
  summary: 'Read a dispute',
  params: byId,
  responses: {
    200: {
      description: 'The current dispute. The answer has Retry-After while `answering` is true.',
      schema: disputeSchema,
      headersAtTimes: ['Retry-After'],
    },
  },
  handle: ({ sellerId, params }, { services: { disputes } }) =>
    callRpc(disputes, disputes.getDispute, { sellerId, disputeId: params.id }),
  present: (dispute) => ({ status: 200, headers: askAgain(dispute), body: presentDispute(dispute) }),
})

const disputeQuery = z.object({
  ...pageQuery,
  ...afterQuery,
  chargeId: queryInteger(1, Number.MAX_SAFE_INTEGER).optional(),
  status: queryNames(disputeStatus.schema).optional(),
  openedFrom: queryBound('from').optional(),
  openedTo: queryBound('to').optional(),
  respondByTo: day()
    .optional()
    .meta({ format: 'date', description: 'Those to be answered on this day at the latest.' }),
})

const absentFilters = {
  after: undefined,
  chargeId: undefined,
  openedFrom: undefined,
  openedTo: undefined,
  respondByTo: undefined,
}

const listDisputes = route({
  method: 'GET',
  path: '/api/v2/disputes',
  scope: 'disputes:read',
  operationId: 'listDisputes',
  tag,
  summary: 'List disputes, newest first',
  description: 'Link leads to other pages.',
  query: disputeQuery,
  responses: {
    200: { description: 'A page.', schema: pageSchema(disputeSchema, 'DisputePage'), headers: ['Link'] },
  },
  problems: ['PAGE_SIZE_TOO_LARGE', 'PAGE_TOO_DEEP'],
  handle: ({ sellerId, query }, { services: { disputes } }) => {
    const { status = [], ...filters } = query
    const statuses = status.map(disputeStatus.valueOf)
    return callRpc(disputes, disputes.listDisputes, { ...absentFilters, sellerId, ...filters, statuses })
  },
  present: ({ disputes, ...end }, view) =>
    answerPage('/api/v2/disputes', { items: disputes.map(presentDispute), ...end }, view),
})

const acceptDispute = route({
  method: 'POST',
  path: '/api/v2/disputes/{id}/accept',
  scope: 'disputes:write',
  operationId: 'acceptDispute',
  callsPartner: 'disputes',
  tag,
  summary: 'Accept a dispute',
  description:
    'You give the money up for good. No later answer changes it. An inquiry took no money: accepting it only ends it.',
  params: byId,
  body: { kind: 'json', schema: acceptRequestSchema, required: false },
  responses: { 201: ANSWERED },
  problems: ['INVALID_DISPUTE_STATE', 'DISPUTE_ANSWER_REFUSED'],
  message: Dispute,
  handle: ({ sellerId, params, body }, { services: { disputes }, baseUrl }) => {
    const answeredBy = body.answeredBy ?? sellersAddress(sellerId, baseUrl)
    const request = { sellerId, disputeId: params.id, answeredBy }
    return callRepeatable(disputes, disputes.acceptDispute, request, MOVING_MONEY)
  },
  present: answerDispute,
})

const submitEvidence = route({
  method: 'POST',
  path: '/api/v2/disputes/{id}/evidence',
  scope: 'disputes:write',
  operationId: 'submitDisputeEvidence',
  callsPartner: 'disputes',
  tag,
  summary: 'Contest a dispute with a file',
  description:
    'Sends your one answer: a file and a reason. `reason` comes before `file` in the form. Under one Idempotency-Key, a repeat has the same fields and the same file. Cofre keeps the file until the acquirer has it, and looks at its first bytes only: leave card numbers out. A later stage needs another answer, and another key.',
  params: byId,
  body: {
    kind: 'form',
    schema: evidenceRequestSchema,
    required: true,
    file: { named: 'file', maxBytes: EVIDENCE_BYTES_MAX },
  },
  responses: { 201: ANSWERED },
  problems: ['INVALID_DISPUTE_STATE', 'DISPUTE_ANSWER_REFUSED'],
  message: Dispute,
  handle: ({ sellerId, params, body }, { services: { disputes }, baseUrl }) => {
    const { reason, answeredBy = sellersAddress(sellerId, baseUrl), file } = body
    const { fileName, contentType, chunks } = file
    const head = { sellerId, disputeId: params.id, contentType, fileName, reason, answeredBy }
    return streamRepeatable(disputes, disputes.submitEvidence, messages(head, chunks), MOVING_MONEY)
  },
  present: answerDispute,
})

async function* messages(
  head: EvidenceHead,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<SubmitEvidenceRequest> {
  yield { head }
  let size = 0
  for await (const bytes of chunks) {
    size += bytes.length
    yield { bytes }
  }
  yield { size }
}

/** Whom the acquirer records when the request names nobody. */
function sellersAddress(sellerId: number, baseUrl: string): string {
  return `seller-${sellerId}@${new URL(baseUrl).hostname}`
}

export const disputeRoutes = [listDisputes, getDispute, acceptDispute, submitEvidence]
