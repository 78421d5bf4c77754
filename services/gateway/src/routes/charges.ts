import { chargeSchema, chargeStatus, presentCharge } from '@cofre/api/charge'
import { metadataListSchema, presentMetadata } from '@cofre/api/metadata'
import { pageSchema } from '@cofre/api/page'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { Charge } from '@cofre/proto/orders/v1/orders'
import { z } from 'zod'
import { answerPage } from '../http/page-answer'
import { route } from '../http/route'
import { PARTIALLY_CAPTURED, PARTIALLY_REFUNDED } from '../openapi/sample-charges'
import { answerCharge, askAgain, CHARGE_CHANGED, MOVING_MONEY } from './charge-answer'
import { captureRequestSchema, refundRequestSchema } from './charge-request'
import { pathId } from './fields/path-fields'
import {
  afterQuery,
  pageQuery,
  queryInstant,
  queryInteger,
  queryNames,
  queryText,
} from './fields/query-fields'
import { metadataRequestSchema } from './metadata-request'

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
      description: 'The current charge. The answer has Retry-After while any part of the charge is PENDING.',
      schema: chargeSchema,
      headersAtTimes: ['Retry-After'],
    },
  },
  handle: ({ sellerId, params }, { services: { orders } }) =>
    callRpc(orders, orders.getCharge, { sellerId, chargeId: params.id }),
  present: (charge) => ({ status: 200, headers: askAgain(charge), body: presentCharge(charge) }),
})

const chargeQuery = z.object({
  ...pageQuery,
  ...afterQuery,
  orderReference: queryText().optional(),
  externalReference: queryInteger(1, Number.MAX_SAFE_INTEGER).optional(),
  status: queryNames(chargeStatus.schema).optional(),
  createdFrom: queryInstant().optional(),
  createdTo: queryInstant().optional(),
})

const listCharges = route({
  method: 'GET',
  path: '/api/v2/charges',
  scope: 'orders:read',
  operationId: 'listCharges',
  tag,
  summary: 'List charges, newest first',
  query: chargeQuery,
  responses: {
    200: { description: 'A page.', schema: pageSchema(chargeSchema, 'ChargePage'), headers: ['Link'] },
  },
  problems: ['PAGE_SIZE_TOO_LARGE', 'PAGE_TOO_DEEP'],
  handle: ({ sellerId, query }, { services: { orders } }) => {
    const { status = [], ...filters } = query
    const statuses = status.map(chargeStatus.valueOf)
    return callRpc(orders, orders.listCharges, { ...absentFilters, sellerId, ...filters, statuses })
  },
  present: ({ charges, ...end }, view) =>
    answerPage('/api/v2/charges', { items: charges.map(presentCharge), ...end }, view),
})

const absentFilters = {
  after: undefined,
  orderReference: undefined,
  externalReference: undefined,
  createdFrom: undefined,
  createdTo: undefined,
}

const captureCharge = route({
  method: 'POST',
  path: '/api/v2/charges/{id}/capture',
  scope: 'orders:write',
  operationId: 'captureCharge',
  callsPartner: true,
  tag,
  summary: 'Capture an authorized charge, once',
  description:
    'Without an amount, the whole authorization is captured. The acquirer releases the rest. Of several payments, the first is captured in full before the next. Do not send `Prefer: handling=lenient`: a misspelt `amount` would be ignored, and everything captured.',
  params: byId,
  body: { kind: 'json', schema: captureRequestSchema, required: false, recorded: { amount: true } },
  responses: { 201: { ...CHARGE_CHANGED, example: PARTIALLY_CAPTURED } },
  problems: ['CAPTURE_EXCEEDS_AUTHORIZED', 'INVALID_CHARGE_STATE'],
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
  callsPartner: true,
  tag,
  summary: 'Refund a charge, fully or in parts',
  description:
    'Before capture, this voids the authorization. After capture, you can refund any number of times, up to the captured amount. Without an amount, all that is left is refunded. Of several payments, the first is refunded in full before the next. Do not send `Prefer: handling=lenient`: a misspelt `amount` would be ignored, and everything refunded.',
  params: byId,
  body: { kind: 'card', schema: refundRequestSchema, required: false, recorded: { amount: true } },
  responses: { 201: { ...CHARGE_CHANGED, example: PARTIALLY_REFUNDED } },
  problems: ['REFUND_EXCEEDS_CAPTURED', 'PARTIAL_VOID_UNSUPPORTED', 'INVALID_CHARGE_STATE'],
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
  params: byId,
  body: { kind: 'card', schema: metadataRequestSchema, required: true },
  responses: { 200: { description: 'All keys with their values.', schema: metadataListSchema } },
  message: Charge,
  handle: ({ sellerId, params, body }, { services: { orders } }) =>
    callRepeatable(orders, orders.replaceMetadata, { sellerId, chargeId: params.id, metadata: body }),
  present: ({ metadata }) => ({ status: 200, body: presentMetadata(metadata) }),
})

export const chargeRoutes = [
  listCharges,
  getCharge,
  captureCharge,
  refundCharge,
  getMetadata,
  replaceMetadata,
]
