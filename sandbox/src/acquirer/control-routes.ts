import express, { type RequestHandler, Router } from 'express'
import { z } from 'zod'
import { isForm } from '../form'
import { ControlError, methodNotAllowed, parse } from '../problem'
import type { Acquirer } from './acquirer'
import type { NextDeclines } from './next-declines'
import type { Payment } from './payment'

const LIST_MAX = 10_000

const search = z.strictObject({ merchantOrderId: z.string().optional() })

const nextDecline = z.strictObject({
  returnCode: z.string().regex(/^[0-9A-Z]{1,5}$/, 'must be a code such as 51, 05 or N7'),
  merchantAdviceCode: z
    .string()
    .regex(/^\d{1,2}$/, 'must be one or two digits')
    .nullable()
    .default(null),
  cardLastFour: z
    .string()
    .regex(/^\d{4}$/, 'must be the last four digits of a card')
    .nullable()
    .default(null),
  times: z.int().min(1).max(10_000).default(1),
  isReplaced: z.boolean().default(false),
})

/** The form of the page: an empty field counts as absent. */
const nextDeclineForm = z
  .record(z.string(), z.string())
  .transform(({ times = '', merchantAdviceCode = '', cardLastFour = '', ...rest }) => ({
    ...rest,
    merchantAdviceCode: merchantAdviceCode.trim() || null,
    cardLastFour: cardLastFour.trim() || null,
    times: Number(times),
  }))

export function acquirerControls({ book, nextDeclines }: Acquirer): Router {
  const router = Router()

  router
    .route('/acquirer/payments')
    .get((request, response) => {
      const { merchantOrderId } = parse(search, request.query)
      const payments = merchantOrderId === undefined ? book.newest(LIST_MAX) : book.ofOrder(merchantOrderId)
      response.json(payments.map(present))
    })
    .all(methodNotAllowed('GET'))

  router
    .route('/acquirer/next')
    .get((_request, response) => void response.json(nextDeclines.list()))
    .post(express.json(), express.urlencoded(), addDecline(nextDeclines))
    .delete((_request, response) => {
      nextDeclines.clear()
      response.status(204).end()
    })
    .all(methodNotAllowed('GET', 'POST', 'DELETE'))

  // An HTML form cannot send DELETE.
  router
    .route('/acquirer/next/clear')
    .post((_request, response) => {
      nextDeclines.clear()
      response.redirect(303, '/')
    })
    .all(methodNotAllowed('POST'))

  return router
}

function addDecline(nextDeclines: NextDeclines): RequestHandler {
  return (request, response) => {
    const form = isForm(request)
    const wanted = parse(nextDecline, form ? parse(nextDeclineForm, request.body) : request.body)
    if (!nextDeclines.add(wanted)) throw new ControlError(422, 'Too many declines are already set')
    if (form) response.redirect(303, '/')
    else response.status(201).json(wanted)
  }
}

function present(payment: Payment) {
  const { paymentId, sale, status, authorizedAmount, capturedAmount, voidedAmount, returnMessage } = payment
  return {
    paymentId,
    merchantOrderId: sale.merchantOrderId,
    amount: sale.amount,
    status,
    authorizedAmount,
    capturedAmount,
    voidedAmount,
    cardLastFour: sale.card.maskedNumber.slice(-4),
    networkToken: sale.networkToken ?? null,
    eci: sale.eci ?? null,
    brand: sale.card.brand,
    returnMessage,
    credential: sale.credential ?? null,
  }
}
