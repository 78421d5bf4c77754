import express, { type Express } from 'express'
import type { Acquirer } from './acquirer'
import { wrongMethod, wrongRoute } from '../partner-routes'
import type { Payment } from './payment'
import { answering, echoRequestId, sendFailure } from './answer'
import { describeBin } from './card-bin'
import { queryText } from './query-text'
import { Refusal } from './refusal'
import { queryAnswer } from './sale-answer'

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The host for GET requests, which change nothing. `chargebacksOf`: those of a payment that the seller lost. */
export function queryHost(acquirer: Acquirer, chargebacksOf: (payment: Payment) => object[]): Express {
  const app = express().disable('x-powered-by').disable('etag')
  app.use(echoRequestId)

  app
    .route('/1/sales')
    .get(answering(acquirer, 'QUERY', (merchantId, { query }) => listByOrder(acquirer, merchantId, query)))
    .all(wrongMethod('GET'))
  app
    .route('/1/sales/:paymentId')
    .get(
      answering(acquirer, 'QUERY', (merchantId, { params }) => {
        const paymentId = String(params['paymentId'])
        if (!GUID.test(paymentId)) throw new Refusal(400, 307)
        const payment = acquirer.book.find(merchantId, paymentId)
        if (!payment) return { status: 404 }
        return { status: 200, body: queryAnswer(payment, acquirer.hosts, chargebacksOf(payment)) }
      }),
    )
    .all(wrongMethod('GET'))
  app
    .route('/1/cardBin/:bin')
    .get(
      answering(acquirer, 'QUERY', (_merchantId, { params }) => {
        const bin = String(params['bin'])
        if (!/^\d{6,9}$/.test(bin)) throw new Refusal(400, 177)
        return { status: 200, body: describeBin(bin) }
      }),
    )
    .all(wrongMethod('GET'))

  app.use(wrongRoute, sendFailure)
  return app
}

function listByOrder({ book }: Acquirer, merchantId: string, query: Record<string, unknown>) {
  const merchantOrderId = queryText(query, 'merchantOrderId')
  if (!merchantOrderId) throw new Refusal(400, 122)
  const payments = book.findByOrder(merchantId, merchantOrderId)
  if (payments.length === 0) return { status: 404 }
  // Cielo misspells the name of the date.
  const found = payments.map(({ paymentId, receivedAt }) => ({
    PaymentId: paymentId,
    ReceveidDate: new Date(receivedAt).toISOString().replace('Z', ''),
  }))
  return { status: 200, body: { Payment: found } }
}
