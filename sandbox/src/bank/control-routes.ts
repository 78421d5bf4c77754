import express, { Router } from 'express'
import { z } from 'zod'
import { isForm } from '../form'
import { ControlError, methodNotAllowed, NOTHING, parse } from '../problem'
import { noonOf } from './bank-calendar'
import { newReceiptId, pay, tell, type Bank } from './bank'
import { presentTruth } from './slip-answer'
import type { Slip } from './slip'

const LIST_MAX = 10_000
const AMOUNT_MAX = 99_999_999_999

const amount = z.int().min(1).max(AMOUNT_MAX)
const moment = z.int().min(0).max(8_640_000_000_000_000)
const day = z.iso.date('must be a day: YYYY-MM-DD')
const payment = z
  .strictObject({ amountInCents: amount.optional(), paidAt: moment.optional(), paidOn: day.optional() })
  .refine(({ paidAt, paidOn }) => paidAt === undefined || paidOn === undefined, {
    path: ['paidOn'],
    error: 'must not be sent with paidAt',
  })
/** The form sends its fields even when they are empty. */
const paymentForm = z
  .strictObject({ amountInCents: z.string().default(''), paidOn: z.string().default('') })
  .transform(({ amountInCents, paidOn }) => ({
    ...(amountInCents && { amountInCents: Number(amountInCents) }),
    ...(paidOn && { paidOn }),
  }))
const search = z.strictObject({ ourNumber: z.string().optional() })
const stray = z.strictObject({
  ourNumber: z.string().regex(/^[1-9]\d{16}$/, 'must be seventeen digits'),
  amountInCents: amount,
  paidAt: moment.optional(),
})

export function bankControls(bank: Bank): Router {
  const router = Router()

  router
    .route('/boletos')
    .get(async (request, response) => {
      const { ourNumber } = parse(search, request.query)
      const found = ourNumber === undefined ? bank.book.newest(LIST_MAX) : bank.book.get(ourNumber)
      const now = await bank.now()
      response.json([found ?? []].flat().map((slip) => presentTruth(slip, now)))
    })
    .all(methodNotAllowed('GET'))

  router
    .route('/boletos/:digitableLine/pay')
    .post(express.json(), express.urlencoded(), async (request, response) => {
      const form = isForm(request)
      const body: unknown = request.body ?? {}
      const wanted = parse(payment, form ? parse(paymentForm, body) : body)
      const now = await bank.now()
      const { amountInCents, paidOn, paidAt = paidOn === undefined ? now : noonOf(paidOn) } = wanted
      const slip = find(bank, request.params['digitableLine'])
      const paid = pay(bank, slip, { ...(amountInCents && { amount: amountInCents }), paidAt })
      if (form) response.redirect(303, `/boletos/pay?line=${slip.line.replaceAll(/\D/g, '')}`)
      else response.json(presentTruth(paid, now))
    })
    .all(methodNotAllowed('POST'))

  // A bank sends a notice again when it was not answered in time, even days later.
  router
    .route('/boletos/:digitableLine/tell-again')
    .post(express.json(), express.urlencoded(), (request, response) => {
      parse(NOTHING, request.body ?? {})
      const { ourNumber } = find(bank, request.params['digitableLine'])
      const notices = bank.notices.ofNumber(ourNumber)
      for (const notice of notices) bank.notices.send({ ...notice, taken: false })
      response.json({ notices: notices.length })
    })
    .all(methodNotAllowed('POST'))

  // Money for a number that nobody registered here: it belongs to another system of the seller, or to none.
  router
    .route('/bank/receipts')
    .post(express.json(), async (request, response) => {
      const { ourNumber, amountInCents, paidAt = await bank.now() } = parse(stray, request.body)
      const receipt = { id: newReceiptId(), amount: amountInCents, paidAt }
      tell(bank, { agreement: ourNumber.slice(0, 7), ourNumber }, receipt)
      response.status(201).json(receipt)
    })
    .all(methodNotAllowed('POST'))

  return router
}

function find({ book }: Bank, line: string | undefined): Slip {
  // The line may be formatted as printed, or contain digits alone.
  const slip = book.findByLine((line ?? '').replaceAll(/\D/g, ''))
  if (!slip) throw new ControlError(404, 'There is no such boleto')
  return slip
}
