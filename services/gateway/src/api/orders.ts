import type { ProblemReason } from '@cofre/platform/reason'
import { callRepeatable } from '@cofre/platform/grpc/client'
import {
  AuthorizeOrderRequest,
  Charge,
  CredentialReason,
  type Customer,
  Initiator,
  type PaymentRequest,
} from '@cofre/proto/orders/v1/orders'
import type { SealedCard } from '@cofre/proto/vault/v1/vault'
import type { z } from 'zod'
import { route } from '../http/route'
import { answerCharge, CHARGE_CREATED, MOVING_MONEY } from './charge-answer'
import { CAPTURED } from '../docs/sample-charges'
import { authorizeRequestSchema, directChargeRequestSchema } from './order-request'

const tag = 'Orders'
const PROBLEMS: readonly ProblemReason[] = [
  'EXACTLY_ONE_SOURCE',
  'REFERENCE_NOT_FOUND',
  'CARD_TOKEN_UNUSABLE',
  'CARD_BRAND_UNSUPPORTED',
  'NETWORK_TOKEN_NOT_ACTIVE',
  'PAYMENT_METHOD_NOT_ACCEPTED',
  'NOTIFICATION_URL_NOT_PUBLIC',
]

const RECORDED = { orderReference: true, amount: true, affiliateId: true, externalReference: true } as const
const RECORDED_OF_PAYMENT = {
  paymentMethod: true,
  amount: true,
  installments: true,
  paymentLimitDate: true,
  dueDate: true,
} as const

const authorizeOrder = route({
  method: 'POST',
  path: '/api/v2/sellers/{sellerId}/orders/credit-card/authorize',
  also: ['/api/v2/orders/credit-card/authorize'],
  scope: 'orders:write',
  operationId: 'authorizeOrder',
  callsPartner: 'acquirer',
  tag,
  summary: 'Authorize the payments of an order, all or none',
  body: {
    kind: 'card',
    schema: authorizeRequestSchema,
    required: true,
    takesTokens: true,
    recorded: { ...RECORDED, payments: RECORDED_OF_PAYMENT },
    urls: ['notificationUrl'],
  },
  responses: { 201: CHARGE_CREATED },
  problems: PROBLEMS,
  message: Charge,
  keptBy: 'orders',
  handle: ({ sellerId, body, cards }, { services: { orders } }) =>
    callRepeatable(orders, orders.authorizeOrder, authorizeMessage(sellerId, body, cards), MOVING_MONEY),
  present: answerCharge,
})

const chargeCard = route({
  method: 'POST',
  path: '/api/v2/sellers/{sellerId}/orders/credit-card/charge',
  also: [
    '/api/v2/orders/credit-card/charge',
    '/v2/sellers/{sellerId}/orders/credit-card/charge',
    '/v2/orders/credit-card/charge',
  ],
  scope: 'orders:write',
  operationId: 'chargeCard',
  callsPartner: 'acquirer',
  tag,
  summary: 'Charge a card: authorize and capture in one call',
  body: {
    kind: 'card',
    schema: directChargeRequestSchema,
    required: true,
    takesTokens: true,
    recorded: { ...RECORDED, installments: true },
    urls: ['notificationUrl'],
  },
  responses: { 201: { ...CHARGE_CREATED, example: CAPTURED } },
  problems: PROBLEMS,
  message: Charge,
  keptBy: 'orders',
  handle: ({ sellerId, body, cards }, { services: { orders } }) =>
    callRepeatable(orders, orders.authorizeOrder, chargeMessage(sellerId, body, cards), MOVING_MONEY),
  present: answerCharge,
})

function authorizeMessage(
  sellerId: number,
  { customer, payments, storedCredential, currency: _brl, ...order }: z.output<typeof authorizeRequestSchema>,
  cards: readonly SealedCard[],
): AuthorizeOrderRequest {
  return AuthorizeOrderRequest.fromPartial({
    ...order,
    ...initiationOf(storedCredential),
    sellerId,
    customer: customerMessage(customer),
    payments: payments.map((payment, at) => ({
      amount: payment.amount,
      installments: payment.installments,
      paymentLimitDate: payment.paymentLimitDate,
      dueDate: payment.dueDate,
      ...sourceOf(payment, cards, `#/payments/${at}`),
    })),
    capture: false,
  })
}

function chargeMessage(
  sellerId: number,
  charge: z.output<typeof directChargeRequestSchema>,
  cards: readonly SealedCard[],
): AuthorizeOrderRequest {
  const { customer, installments, card, cardToken, networkToken, currency: _brl, ...rest } = charge
  const { storedCredential, ...order } = rest
  const source = sourceOf({ card, cardToken, networkToken }, cards, '#')
  return AuthorizeOrderRequest.fromPartial({
    ...order,
    ...initiationOf(storedCredential),
    sellerId,
    customer: customerMessage(customer),
    payments: [{ amount: order.amount, installments, ...source }],
    capture: true,
  })
}

function initiationOf(stored: z.output<typeof authorizeRequestSchema>['storedCredential']) {
  return stored && { initiator: Initiator[stored.initiator], reason: CredentialReason[stored.reason] }
}

type Named = { token: string } | undefined
type Sources = { card?: unknown; cardToken?: Named; networkToken?: Named }

/** Returns the card as the vault sealed it, or the token as the body names it. */
function sourceOf(
  { card, cardToken, networkToken }: Sources,
  cards: readonly SealedCard[],
  parent: string,
): Partial<Pick<PaymentRequest, 'card' | 'keptAs' | 'cardToken' | 'networkToken'>> {
  if (networkToken) return { networkToken: networkToken.token }
  const pointer = `${parent}/${card === undefined ? 'cardToken' : 'card'}`
  const sealed = cards.find((each) => each.pointer === pointer)
  if (sealed) return { card: sealed, keptAs: cardToken?.token ?? '' }
  if (!cardToken) throw new Error('the vault found no card where the body names one')
  return { cardToken: cardToken.token }
}

export function customerMessage(customer: z.output<typeof authorizeRequestSchema>['customer']): Customer {
  const { name, document, email = '', birthdate = '', address } = customer
  const {
    street = '',
    streetNumber = '',
    lineTwo = '',
    neighborhood = '',
    city = '',
    state = '',
    zipCode = '',
  } = address ?? {}
  return {
    name,
    document,
    email,
    birthdate,
    address: address && { street, streetNumber, lineTwo, neighborhood, city, state, zipCode },
  }
}

export const orderRoutes = [authorizeOrder, chargeCard]
