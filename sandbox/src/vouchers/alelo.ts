import { randomUUID } from 'node:crypto'
import type { Request, Router } from 'express'
import { z } from 'zod'
import type { Answer } from '../partner-call'
import { wrongMethod } from '../partner-routes'
import { answering, issuerRouter, readBody, sendFailure, type Words } from './issuer-answer'
import type { RefusalReason } from './issuer-refusal'
import { cancelPayment, charge, findById, findByOrder, type VoucherIssuers } from './voucher-issuers'
import type { VoucherPayment } from './voucher-payment'

const order = z.object({
  orderId: z.string().regex(/^[A-Za-z0-9-]{1,36}$/),
  amount: z.int().min(1).max(999_999_999_999),
  product: z.enum(['REFEICAO', 'ALIMENTACAO']),
  customerDocument: z.string().regex(/^\d{11}$|^[0-9A-Z]{12}\d{2}$/),
  card: z.object({
    number: z.string().regex(/^\d{13,19}$/),
    holder: z.string().min(1).max(100),
    expiration: z.string().regex(/^(0[1-9]|1[0-2])\/20\d\d$/),
    securityCode: z
      .string()
      .regex(/^\d{3,4}$/)
      .optional(),
  }),
})

const search = z.object({ orderId: order.shape.orderId })

const ERRORS: Record<RefusalReason, string> = {
  UNAUTHORIZED: 'UNAUTHORIZED',
  INVALID_TOKEN: 'UNAUTHORIZED',
  INVALID: 'INVALID_REQUEST',
  DUPLICATE: 'DUPLICATE_ORDER',
  NOT_FOUND: 'NOT_FOUND',
  DECLINED: 'PAYMENT_NOT_APPROVED',
  WINDOW_CLOSED: 'CANCEL_WINDOW_CLOSED',
}

const words: Words = ({ reason, field }) => ({ error: ERRORS[reason], field })

/** The issuer of the brand ALELO: English, JSON, amounts in cents. */
export function aleloRoutes(issuers: VoucherIssuers): Router {
  const router = issuerRouter()
  const call = answering(issuers.faults, words)
  const seller = (request: Request) =>
    issuers.keys.identify('ALELO', request.get('x-affiliation-code'), request.get('x-api-key'))

  router
    .route('/v1/payments')
    .post(call('CHANGE', (request) => pay(issuers, seller(request), request)))
    .get(
      call('QUERY', (request) => {
        const merchant = seller(request)
        const { orderId } = readBody(search, request.query)
        return ok(findByOrder(issuers, 'ALELO', merchant, orderId))
      }),
    )
    .all(wrongMethod('GET, POST'))
  router
    .route('/v1/payments/:paymentId/cancel')
    .post(
      call('CHANGE', (request) => {
        const payment = findById(issuers, 'ALELO', seller(request), String(request.params['paymentId']))
        return ok(cancelPayment(issuers, payment))
      }),
    )
    .all(wrongMethod('POST'))

  return router.use(sendFailure(words))
}

function pay(issuers: VoucherIssuers, merchant: string, { body }: Request): Answer {
  const { orderId, amount, product, card } = readBody(order, body)
  const { payment, lost } = charge(
    issuers,
    {
      brand: 'ALELO',
      merchant,
      orderNumber: orderId,
      product: product === 'REFEICAO' ? 'MEAL' : 'FOOD',
      amount,
      cardLastFour: card.number.slice(-4),
    },
    randomUUID(),
  )
  return { ...ok(payment), lost }
}

function ok({
  paymentId,
  orderNumber,
  status,
  returnCode,
  authorizationCode,
  amount,
}: VoucherPayment): Answer {
  return {
    status: 200,
    body: { paymentId, orderId: orderNumber, status, responseCode: returnCode, authorizationCode, amount },
  }
}
