import express, { Router } from 'express'
import { z } from 'zod'
import { ControlError, methodNotAllowed, parse } from '../problem'
import type { VoucherIssuers } from './voucher-issuers'
import type { VoucherPayment } from './voucher-payment'

const LIST_MAX = 10_000
const DAY_MS = 86_400_000

const search = z.strictObject({ orderNumber: z.string().optional() })
const age = z.strictObject({ days: z.int().min(1).max(365) })

export function voucherControls({ book }: VoucherIssuers): Router {
  const router = Router()

  router
    .route('/vouchers/payments')
    .get((request, response) => {
      const { orderNumber } = parse(search, request.query)
      const payments = orderNumber === undefined ? book.newest(LIST_MAX) : book.ofOrder(orderNumber)
      response.json(payments.map(present))
    })
    .all(methodNotAllowed('GET'))

  // A cancellation's window is a calendar day: a test can't wait for its end.
  router
    .route('/vouchers/payments/:paymentId/age')
    .post(express.json(), (request, response) => {
      const { days } = parse(age, request.body)
      const payment = book.get(request.params['paymentId'])
      if (!payment) throw new ControlError(404, 'There is no such payment')
      const older = { ...payment, receivedAt: payment.receivedAt - days * DAY_MS }
      book.save(older)
      response.json(present(older))
    })
    .all(methodNotAllowed('POST'))

  return router
}

function present({ brand, paymentId, orderNumber, amount, status, product, cardLastFour }: VoucherPayment) {
  return { brand, paymentId, orderNumber, amount, status, product, cardLastFour }
}
