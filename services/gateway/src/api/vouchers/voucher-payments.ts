import { pageSchema } from '@cofre/api/page'
import {
  presentVoucherPayment,
  voucherPaymentSchema,
  voucherPaymentStatus,
} from '@cofre/api/vouchers/voucher-payment'
import { voucherCardType } from '@cofre/api/vouchers/voucher-card'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { CardKind, type SealedCard } from '@cofre/proto/vault/v1/vault'
import { CreatePaymentRequest, VoucherPayment, VoucherPaymentStatus } from '@cofre/proto/vouchers/v1/vouchers'
import { z } from 'zod'
import { linkHeader, type Answer } from '../../http/answer'
import { answerPage } from '../../http/page-answer'
import { route, type ResponseRule, type View } from '../../http/route'
import { MOVING_MONEY } from '../charge-answer'
import { tokenText } from '../fields/body-fields'
import { pathId } from '../fields/path-fields'
import { afterQuery, pageQuery, queryBound, queryNames, queryText } from '../fields/query-fields'
import { brandName, voucherPaymentRequestSchema } from './voucher-request'

const tag = 'Voucher payments'
const PAYMENTS = '/api/v2/sellers/{sellerId}/vouchers/payments'
const byId = z.object({ id: pathId })
/** The sweeper first asks the issuer after two seconds. */
const ASK_AGAIN_SECONDS = '2'
const HEADERS_AT_TIMES = ['Link', 'Retry-After']

const CREATED: ResponseRule = {
  description:
    'The payment. A declined payment has the status DENIED. PENDING means that the issuer has not answered yet: read the payment again after Retry-After. Link rel="cancel" is present while the payment can be cancelled.',
  schema: voucherPaymentSchema,
  headers: ['Location'],
  headersAtTimes: HEADERS_AT_TIMES,
}

function pathOf({ sellerId }: View): string {
  return PAYMENTS.replace('{sellerId}', String(sellerId))
}

/** Answers 200 with the payment, a link to its possible action, and when to ask again. */
function answerPayment(payment: VoucherPayment, view: View): Answer & { headers: Record<string, string> } {
  const { status, cancellationPending } = payment
  const isCancellable = status === VoucherPaymentStatus.PAID && !cancellationPending
  const isPending = status === VoucherPaymentStatus.PENDING || cancellationPending
  const cancel = `${view.baseUrl}${pathOf(view)}/${payment.id}/cancel`
  return {
    status: 200,
    headers: {
      ...(isCancellable ? { Link: linkHeader({ cancel }) } : {}),
      ...(isPending ? { 'Retry-After': ASK_AGAIN_SECONDS } : {}),
    },
    body: presentVoucherPayment(payment),
  }
}

const createVoucherPayment = route({
  method: 'POST',
  path: PAYMENTS,
  scope: 'vouchers:write',
  operationId: 'createVoucherPayment',
  callsPartner: 'issuers',
  tag,
  summary: 'Pay with a voucher token',
  body: {
    kind: 'card',
    cardKind: CardKind.VOUCHER,
    schema: voucherPaymentRequestSchema,
    required: true,
    takesTokens: true,
    recorded: {
      amount: true,
      installments: true,
      referenceId: true,
      card: { cardType: true, cardBrand: true },
    },
  },
  responses: { 201: CREATED },
  problems: [
    'CARD_TOKEN_UNUSABLE',
    'VOUCHER_BRAND_UNSUPPORTED',
    'VOUCHER_CARD_MISMATCH',
    'INSTALLMENTS_NOT_ALLOWED',
  ],
  message: VoucherPayment,
  keptBy: 'vouchers',
  handle: ({ sellerId, body, cards }, { services: { vouchers } }) =>
    callRepeatable(vouchers, vouchers.createPayment, paymentMessage(sellerId, body, cards), MOVING_MONEY),
  present: (payment, view) => {
    const { headers, ...answer } = answerPayment(payment, view)
    const location = `${view.baseUrl}${pathOf(view)}/${payment.id}`
    return { ...answer, status: 201, headers: { Location: location, ...headers } }
  },
})

function paymentMessage(
  sellerId: number,
  { card, ...payment }: z.output<typeof voucherPaymentRequestSchema>,
  cards: readonly SealedCard[],
): CreatePaymentRequest {
  return CreatePaymentRequest.fromPartial({
    ...payment,
    sellerId,
    cardType: voucherCardType.valueOf(card.cardType),
    cardBrand: card.cardBrand,
    token: card.token,
    // The token goes as the body names it; the vault's seal is only for a CVV.
    card: cards.find(({ pointer, hasCvv }) => pointer === '#/card' && hasCvv),
  })
}

const paymentQuery = z.object({
  ...pageQuery,
  ...afterQuery,
  referenceId: queryText().optional(),
  status: queryNames(voucherPaymentStatus.schema).optional(),
  cardBrand: brandName().optional(),
  token: tokenText().optional(),
  createdFrom: queryBound('from').optional(),
  createdTo: queryBound('to').optional(),
})

const absentFilters = {
  after: undefined,
  referenceId: undefined,
  cardBrand: undefined,
  token: undefined,
  createdFrom: undefined,
  createdTo: undefined,
}

const listVoucherPayments = route({
  method: 'GET',
  path: PAYMENTS,
  scope: 'vouchers:read',
  operationId: 'listVoucherPayments',
  tag,
  summary: 'List voucher payments, newest first',
  query: paymentQuery,
  responses: {
    200: {
      description: 'A page.',
      schema: pageSchema(voucherPaymentSchema, 'VoucherPaymentPage'),
      headers: ['Link'],
    },
  },
  problems: ['PAGE_SIZE_TOO_LARGE', 'PAGE_TOO_DEEP'],
  handle: ({ sellerId, query }, { services: { vouchers } }) => {
    const { status = [], ...filters } = query
    const statuses = status.map(voucherPaymentStatus.valueOf)
    const request = { ...absentFilters, sellerId, ...filters, statuses }
    return callRpc(vouchers, vouchers.listPayments, request)
  },
  present: ({ payments, ...end }, view) =>
    answerPage(pathOf(view), { items: payments.map(presentVoucherPayment), ...end }, view),
})

const getVoucherPayment = route({
  method: 'GET',
  path: `${PAYMENTS}/{id}`,
  scope: 'vouchers:read',
  operationId: 'getVoucherPayment',
  tag,
  summary: 'Read a voucher payment',
  params: byId,
  responses: {
    200: {
      description: 'The current payment.',
      schema: voucherPaymentSchema,
      headersAtTimes: HEADERS_AT_TIMES,
    },
  },
  handle: ({ sellerId, params }, { services: { vouchers } }) =>
    callRpc(vouchers, vouchers.getPayment, { sellerId, paymentId: params.id }),
  present: answerPayment,
})

const cancelVoucherPayment = route({
  method: 'POST',
  path: `${PAYMENTS}/{id}/cancel`,
  scope: 'vouchers:write',
  operationId: 'cancelVoucherPayment',
  callsPartner: 'issuers',
  tag,
  summary: 'Cancel a voucher payment in full, on the same day',
  description:
    'The day of a payment ends at midnight in America/Sao_Paulo. If the issuer does not answer, cancellationPending is true until the outcome is known. Cofre repeats a cancellation that did not happen until the day ends; then voucher_payment.cancel_failed tells you.',
  params: byId,
  responses: {
    200: {
      description: 'The payment, CANCELED, or with its cancellation pending.',
      schema: voucherPaymentSchema,
      headersAtTimes: HEADERS_AT_TIMES,
    },
  },
  problems: ['INVALID_VOUCHER_STATE'],
  message: VoucherPayment,
  handle: ({ sellerId, params }, { services: { vouchers } }) =>
    callRepeatable(vouchers, vouchers.cancelPayment, { sellerId, paymentId: params.id }, MOVING_MONEY),
  present: answerPayment,
})

export const voucherPaymentRoutes = [
  createVoucherPayment,
  listVoucherPayments,
  getVoucherPayment,
  cancelVoucherPayment,
]
