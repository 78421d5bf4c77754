import express, { type Express, type Request } from 'express'
import type { Answer } from '../partner-call'
import type { Acquirer } from './acquirer'
import { wrongMethod, wrongRoute } from '../partner-routes'
import { answering, echoRequestId, sendFailure } from './answer'
import { isSameDay } from './brazil-time'
import { capture, type Payment, voidPayment } from './payment'
import { queryText } from './query-text'
import { Refusal } from './refusal'
import { createSale } from './sale'
import { captureAnswer, voidAnswer } from './sale-answer'
import { checkCard } from './zero-auth'

const BODY_MAX = '256kb'
const DAY_MS = 86_400_000

/** The host for POST and PUT requests. */
export function transactionHost(acquirer: Acquirer): Express {
  const app = express().disable('x-powered-by').disable('etag')
  app.use(echoRequestId)
  const json = express.json({ type: () => true, limit: BODY_MAX })
  const change = (call: (merchantId: string, request: Request) => Answer) =>
    answering(acquirer, 'CHANGE', call)

  app
    .route('/1/sales')
    .post(
      json,
      change((merchantId, { body }) => createSale(acquirer, merchantId, body)),
    )
    .all(wrongMethod('POST'))
  app
    .route('/1/zeroauth')
    .post(
      json,
      change((merchantId, { body }) => checkCard(acquirer, merchantId, body)),
    )
    .all(wrongMethod('POST'))
  app
    .route('/1/sales/:paymentId/capture')
    .put(
      change((merchantId, request) => capturePayment(acquirer, find(acquirer, merchantId, request), request)),
    )
    .all(wrongMethod('PUT'))
  app
    .route('/1/sales/:paymentId/void')
    .put(change((merchantId, request) => undo(acquirer, find(acquirer, merchantId, request), request)))
    .all(wrongMethod('PUT'))
  app
    .route('/1/sales/OrderId/:merchantOrderId/void')
    .put(change((merchantId, request) => undo(acquirer, findNewest(acquirer, merchantId, request), request)))
    .all(wrongMethod('PUT'))

  app.use(wrongRoute, sendFailure)
  return app
}

function capturePayment(acquirer: Acquirer, payment: Payment, request: Request): Answer {
  const windowMs = acquirer.settings.captureWindowDays * DAY_MS
  const captured = capture(payment, readAmount(request), Date.now(), windowMs)
  acquirer.book.save(captured)
  return { status: 200, body: captureAnswer(captured, acquirer.hosts) }
}

function undo(acquirer: Acquirer, payment: Payment, request: Request): Answer {
  const at = Date.now()
  const now = { at, sameDay: isSameDay(payment.receivedAt, at) }
  const result = voidPayment(payment, readAmount(request), now, acquirer.settings.voidSpacingMs)
  if (result.done) acquirer.book.save(result.payment)
  return { status: 200, body: voidAnswer(result, acquirer.hosts) }
}

function find({ book }: Acquirer, merchantId: string, { params }: Request): Payment {
  const payment = book.find(merchantId, String(params['paymentId']))
  if (!payment) throw new Refusal(404, 307)
  return payment
}

function findNewest({ book }: Acquirer, merchantId: string, { params }: Request): Payment {
  const payment = book.findByOrder(merchantId, String(params['merchantOrderId']))[0]
  if (!payment) throw new Refusal(404, 307)
  return payment
}

/** Returns the amount in cents; undefined when it is absent, which means all. */
function readAmount({ query }: Request): number | undefined {
  const amount = queryText(query, 'amount')
  if (amount === undefined) return undefined
  if (!/^[1-9]\d{0,14}$/.test(amount)) throw new Refusal(400, 108)
  return Number(amount)
}
