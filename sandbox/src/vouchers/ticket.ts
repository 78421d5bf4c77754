import { randomUUID } from 'node:crypto'
import type { Request, Router } from 'express'
import { z } from 'zod'
import type { Outcome } from '../acquirer/card-outcome'
import { cardOf, type Identity } from '../identity/identity'
import type { TicketCard } from '../identity/people'
import type { Answer } from '../partner-call'
import { wrongMethod } from '../partner-routes'
import { answering, issuerRouter, readBody, sendFailure, type Words } from './issuer-answer'
import { readCode } from './issuer-keys'
import { IssuerRefusal, type RefusalReason } from './issuer-refusal'
import { cancelPayment, charge, findById, findByOrder, type VoucherIssuers } from './voucher-issuers'
import type { VoucherPayment, VoucherStatus } from './voucher-payment'

const order = z.object({
  order_ref: z.string().regex(/^[A-Za-z0-9-]{1,36}$/),
  card_id: z.string(),
  amount: z.int().min(1).max(999_999_999_999),
  capture_mode: z.literal('auto'),
})

const search = z.object({ order_ref: order.shape.order_ref })

const ERRORS: Record<RefusalReason, string> = {
  UNAUTHORIZED: 'unauthorized',
  INVALID_TOKEN: 'invalid_token',
  INVALID: 'invalid_request',
  DUPLICATE: 'duplicate_order_ref',
  NOT_FOUND: 'not_found',
  DECLINED: 'transaction_declined',
  WINDOW_CLOSED: 'cancellation_window_closed',
}

/** The reasons by ABECS code: this issuer uses words. */
const REASONS: Record<string, string> = {
  '05': 'refused',
  '51': 'insufficient_balance',
  '57': 'not_allowed',
  '78': 'card_blocked',
  '99': 'timeout',
  '77': 'card_cancelled',
  '70': 'card_problem',
}

const STATUSES: Record<VoucherStatus, string> = {
  APPROVED: 'captured',
  DECLINED: 'declined',
  CANCELED: 'cancelled',
}

const EMPTY: Outcome = { approved: false, returnCode: '51', message: '', merchantAdviceCode: null }

const words: Words = ({ reason, field }) => ({ errors: [{ code: ERRORS[reason], field }] })

/** The issuer of the brand TICKET. It takes no card number: the access token identifies the card and its holder. */
export function ticketRoutes(issuers: VoucherIssuers, identity: Identity): Router {
  const router = issuerRouter()
  const call = answering(issuers.faults, words)
  const seller = (request: Request) =>
    issuers.keys.identify('TICKET', request.get('x-merchant-id'), request.get('x-api-key'))

  router
    .route('/v2/cards')
    .get(
      call('QUERY', (request) => ({ status: 200, body: { data: [presentCard(bearer(identity, request))] } })),
    )
    .all(wrongMethod('GET'))
  router
    .route('/v2/transactions')
    .post(call('CHANGE', (request) => pay(issuers, bearer(identity, request).card, request)))
    .get(
      call('QUERY', (request) => {
        const merchant = seller(request)
        const { order_ref: orderRef } = readBody(search, request.query)
        return ok(findByOrder(issuers, 'TICKET', merchant, orderRef))
      }),
    )
    .all(wrongMethod('GET, POST'))
  router
    .route('/v2/transactions/:id/cancel')
    .post(
      call('CHANGE', (request) => {
        const payment = findById(issuers, 'TICKET', seller(request), String(request.params['id']))
        return ok(cancelPayment(issuers, payment))
      }),
    )
    .all(wrongMethod('POST'))

  return router.use(sendFailure(words))
}

type Holder = NonNullable<ReturnType<typeof cardOf>>

function bearer(identity: Identity, request: Request): Holder {
  const [, token = ''] = /^Bearer (\S+)$/i.exec(request.get('authorization') ?? '') ?? []
  const holder = cardOf(identity, token)
  if (!holder) throw new IssuerRefusal('INVALID_TOKEN')
  return holder
}

function pay(issuers: VoucherIssuers, card: TicketCard, request: Request): Answer {
  const merchant = readCode(request.get('x-merchant-id'))
  const { order_ref: orderNumber, card_id: cardId, amount } = readBody(order, request.body)
  if (cardId !== card.cardId) throw new IssuerRefusal('INVALID', 'card_id')
  const { payment, lost } = charge(
    issuers,
    { brand: 'TICKET', merchant, orderNumber, product: card.product, amount, cardLastFour: card.lastFour },
    randomUUID(),
    card.empty && EMPTY,
  )
  return { ...ok(payment), status: 201, lost }
}

function presentCard({ person, card }: Holder) {
  return {
    card_id: card.cardId,
    product: card.product.toLowerCase(),
    last4: card.lastFour,
    holder: person.name,
  }
}

function ok({ paymentId, orderNumber, status, returnCode, ...payment }: VoucherPayment): Answer {
  return {
    status: 200,
    body: {
      data: {
        transaction_id: paymentId,
        order_ref: orderNumber,
        status: STATUSES[status],
        reason: REASONS[returnCode] ?? null,
        authorization_code: payment.authorizationCode,
        amount: payment.amount,
      },
    },
  }
}
