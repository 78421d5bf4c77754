import { chargeSchema, presentCharge } from '@cofre/api/charge'
import { metadataListSchema, presentMetadata } from '@cofre/api/metadata'
import { pageSchema } from '@cofre/api/page'
import { DomainError } from '@cofre/platform/errors'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { Charge } from '@cofre/proto/orders/v1/orders'
import { z } from 'zod'
import { answerPage } from '../http/page-answer'
import { route } from '../http/route'
import { PARTIALLY_CAPTURED, PARTIALLY_REFUNDED } from '../docs/sample-charges'
import { answerCharge, answerCurrentCharge, CHARGE_CHANGED, MOVING_MONEY } from './charge-answer'
import { chargeExportRoutes } from './charge-export'
import { chargeFilters, filtersOf } from './charge-query'
import { captureRequestSchema, refundRequestSchema } from './charge-request'
import { pathId } from './fields/path-fields'
import { afterQuery, pageQuery } from './fields/query-fields'
import { metadataReplacementSchema } from './metadata-request'

const tag = 'Charges'
const byId = z.object({ id: pathId })

const getCharge = route({
  method: 'GET',
  path: '/api/v2/charges/{id}',
  scope: 'orders:read',
  operationId: 'getCharge',
  tag,
  summary: 'Read a charge',
  params: byId,
  responses: {
    200: {
      description:
        'The current charge. Link offers what its state allows, and rel="request" is the request that made it. The answer has Retry-After while any part of the charge is PENDING: 2 seconds, or 15 while a Pix waits for its payer.',
      schema: chargeSchema,
      headers: ['Link'],
      headersAtTimes: ['Retry-After'],
    },
  },
  handle: ({ sellerId, params }, { services: { orders } }) =>
    callRpc(orders, orders.getCharge, { sellerId, chargeId: params.id }),
  present: answerCurrentCharge,
})

const listCharges = route({
  method: 'GET',
  path: '/api/v2/charges',
  scope: 'orders:read',
  operationId: 'listCharges',
  tag,
  summary: 'List charges, newest first',
  description:
    'Link leads to other pages. The member `links` of each charge offers what its state allows. `lastFour`, `nsu`, `tid`, `authorizationCode` and `endToEndId` find charges by one of their payments: of each, the newest 10,000.',
  query: z.object({ ...pageQuery, ...afterQuery, ...chargeFilters }),
  responses: {
    200: { description: 'A page.', schema: pageSchema(chargeSchema, 'ChargePage'), headers: ['Link'] },
  },
  problems: ['PAGE_SIZE_TOO_LARGE', 'PAGE_TOO_DEEP'],
  handle: ({ sellerId, query: { page, size, after, place, ...filters } }, { services: { orders } }) =>
    callRpc(orders, orders.listCharges, { ...filtersOf(filters), sellerId, page, size, after, place }),
  present: ({ charges, ...end }, view) => {
    const items = charges.map((charge) => presentCharge(charge, view.baseUrl))
    return answerPage('/api/v2/charges', { items, ...end }, view)
  },
})

const captureCharge = route({
  method: 'POST',
  path: '/api/v2/charges/{id}/capture',
  scope: 'orders:write',
  operationId: 'captureCharge',
  callsPartner: 'acquirer',
  tag,
  summary: 'Capture an authorized charge, once',
  description:
    'Without an amount, the whole authorization is captured. The acquirer releases the rest. Of several payments, the first is captured in full before the next. Do not send `Prefer: handling=lenient`: a misspelt `amount` would be ignored, and everything captured.',
  params: byId,
  body: { kind: 'json', schema: captureRequestSchema, required: false, recorded: { amount: true } },
  responses: { 201: { ...CHARGE_CHANGED, example: PARTIALLY_CAPTURED } },
  problems: ['CAPTURE_EXCEEDS_AUTHORIZED', 'CAPTURE_BELOW_INSTALLMENTS', 'INVALID_CHARGE_STATE'],
  message: Charge,
  handle: ({ sellerId, params, body }, { services: { orders } }) =>
    callRepeatable(
      orders,
      orders.captureCharge,
      { sellerId, chargeId: params.id, amount: body.amount },
      MOVING_MONEY,
    ),
  present: answerCharge,
})

const refundCharge = route({
  method: 'POST',
  path: '/api/v2/charges/{id}/refund',
  scope: 'orders:write',
  operationId: 'refundCharge',
  // A bank that hangs leaves the refunds of cards alone.
  callsPartner: async ({ sellerId, params }, { services: { orders } }) => {
    const charge = await callRpc(orders, orders.getCharge, { sellerId, chargeId: params.id }).catch(
      unlessMissing,
    )
    return charge?.payments.some(({ pix }) => pix !== undefined) ? 'pix' : 'acquirer'
  },
  tag,
  summary: 'Refund a charge, fully or in parts',
  description:
    'Before capture, this voids the authorization. After capture, you can refund any number of times, up to the captured amount. Without an amount, all that is left is refunded. What a dispute has taken is not yours to refund. Of several payments, the first is refunded in full before the next. Do not send `Prefer: handling=lenient`: a misspelt `amount` would be ignored, and everything refunded.',
  params: byId,
  body: { kind: 'card', schema: refundRequestSchema, required: false, recorded: { amount: true } },
  responses: { 201: { ...CHARGE_CHANGED, example: PARTIALLY_REFUNDED } },
  problems: [
    'REFUND_EXCEEDS_CAPTURED',
    'PARTIAL_VOID_UNSUPPORTED',
    'INVALID_CHARGE_STATE',
    'CHARGE_DISPUTED',
    'REFUND_UNAVAILABLE',
  ],
  message: Charge,
  handle: ({ sellerId, params, body }, { services: { orders } }) =>
    callRepeatable(
      orders,
      orders.refundCharge,
      { sellerId, chargeId: params.id, amount: body.amount, reason: body.reason },
      MOVING_MONEY,
    ),
  present: answerCharge,
})

/** What is wrong with the body is said before that the charge is missing. */
function unlessMissing(error: unknown): undefined {
  if (!(error instanceof DomainError && error.kind === 'not_found')) throw error
}

const getMetadata = route({
  method: 'GET',
  path: '/api/v2/charges/{id}/metadata',
  scope: 'orders:read',
  operationId: 'getChargeMetadata',
  tag,
  summary: 'Read the metadata of a charge',
  params: byId,
  responses: { 200: { description: 'All keys with their values.', schema: metadataListSchema } },
  handle: ({ sellerId, params }, { services: { orders } }) =>
    callRpc(orders, orders.getCharge, { sellerId, chargeId: params.id }),
  present: ({ metadata }) => ({ status: 200, body: presentMetadata(metadata) }),
})

const replaceMetadata = route({
  method: 'PUT',
  path: '/api/v2/charges/{id}/metadata',
  scope: 'orders:write',
  operationId: 'replaceChargeMetadata',
  tag,
  summary: 'Replace the metadata of a charge',
  description: 'Send an object, or the list that a read answers.',
  params: byId,
  body: { kind: 'card', schema: metadataReplacementSchema, required: true },
  responses: { 200: { description: 'All keys with their values.', schema: metadataListSchema } },
  message: Charge,
  handle: ({ sellerId, params, body }, { services: { orders } }) =>
    callRepeatable(orders, orders.replaceMetadata, { sellerId, chargeId: params.id, metadata: body }),
  present: ({ metadata }) => ({ status: 200, body: presentMetadata(metadata) }),
})

export const chargeRoutes = [
  listCharges,
  // Before the charge by its id.
  ...chargeExportRoutes,
  getCharge,
  captureCharge,
  refundCharge,
  getMetadata,
  replaceMetadata,
]
