import express, { type Request, type RequestHandler, Router } from 'express'
import { z } from 'zod'
import type { Payment } from '../acquirer/payment'
import { isForm } from '../form'
import { ControlError, methodNotAllowed, NOTHING, parse } from '../problem'
import { mayBecome, STAGES, type Chargeback, type Status } from './chargeback'
import { presentTruth } from './chargeback-answer'
import { current, move, open, paymentOf, tell, type Chargebacks } from './chargebacks'

const AMOUNT_MAX = 99_999_999_999

const webhook = z.enum(['sent', 'lost']).default('sent')
const text = z.string().min(1).max(100)
const opening = z
  .strictObject({
    tid: text.optional(),
    paymentId: text.optional(),
    merchantOrderId: text.optional(),
    /** A case that goes on with another stage. */
    idCase: text.optional(),
    amountInCents: z.int().min(1).max(AMOUNT_MAX).optional(),
    reasonCode: z
      .string()
      .regex(/^[0-9A-Z]{1,10}$/, 'must be a code such as 104 or 4837')
      .default('104'),
    daysToAnswer: z.int().min(0).max(90).default(10),
    stage: z.enum(STAGES).default('FIRST'),
    webhook,
  })
  .refine(
    (body) => [body.tid, body.paymentId, body.merchantOrderId, body.idCase].filter(Boolean).length === 1,
    {
      path: ['tid'],
      error: 'must be sent, or paymentId, merchantOrderId or idCase, and only one of them',
    },
  )
/** The form sends its fields even when they are empty. */
const openingForm = z
  .strictObject({ merchantOrderId: z.string(), amountInCents: z.string().default(''), stage: z.string() })
  .transform(({ amountInCents, ...rest }) => ({
    ...rest,
    ...(amountInCents && { amountInCents: Number(amountInCents) }),
  }))
const moving = z.strictObject({ webhook })

const MOVES: Readonly<Record<string, Status>> = { win: 'WON', lose: 'LOST', expire: 'EXPIRED' }

export function chargebackControls(chargebacks: Chargebacks): Router {
  const router = Router()
  const present = (chargeback: Chargeback) => presentTruth(chargeback, paymentOf(chargebacks, chargeback))

  router
    .route('/acquirer/chargebacks')
    .get((_request, response) => {
      response.json(current(chargebacks, chargebacks.book.list()).map(present))
    })
    .post(express.json(), express.urlencoded(), openOne(chargebacks))
    .all(methodNotAllowed('GET', 'POST'))

  // The acquirer restarts, and every token ends before its time.
  router
    .route('/acquirer/chargebacks/end-tokens')
    .post(express.json(), (request, response) => {
      parse(NOTHING, request.body ?? {})
      response.json({ ended: chargebacks.clients.endTokens() })
    })
    .all(methodNotAllowed('POST'))

  for (const [name, status] of Object.entries(MOVES)) {
    router
      .route(`/acquirer/chargebacks/:id/${name}`)
      .post(express.json(), express.urlencoded(), (request, response) => {
        const moved = moveOne(chargebacks, request, status)
        if (isForm(request)) response.redirect(303, '/')
        else response.json(present(moved))
      })
      .all(methodNotAllowed('POST'))
  }
  return router
}

function openOne(chargebacks: Chargebacks): RequestHandler {
  return (request, response) => {
    const form = isForm(request)
    const wanted = parse(opening, form ? parse(openingForm, request.body) : request.body)
    const { amountInCents, reasonCode, daysToAnswer, stage, idCase } = wanted
    const payment = disputed(chargebacks, wanted)
    const amount = amountInCents ?? payment.capturedAmount
    const opened = open(chargebacks, payment, { amount, reasonCode, daysToAnswer, stage, idCase })
    if (wanted.webhook === 'sent') tell(chargebacks, opened)
    if (form) response.redirect(303, '/')
    else response.status(201).json(presentTruth(opened, payment))
  }
}

/** The payment that is disputed: the newest that was captured, by any of its names. */
function disputed(chargebacks: Chargebacks, wanted: z.output<typeof opening>): Payment {
  const { payments, book } = chargebacks
  const ofCase = wanted.idCase === undefined ? undefined : book.ofCase(wanted.idCase).at(-1)
  if (ofCase && current(chargebacks, [ofCase])[0]?.status === 'PENDING')
    throw new ControlError(409, 'The case still waits for an answer')
  const isWanted = ({ tid, paymentId, sale }: Payment) =>
    tid === wanted.tid ||
    paymentId === (wanted.paymentId ?? ofCase?.paymentId) ||
    sale.merchantOrderId === wanted.merchantOrderId
  const found = payments
    .newest(payments.count)
    .find((payment) => payment.capturedAmount > 0 && isWanted(payment))
  if (!found) throw new ControlError(404, 'There is no such captured payment')
  return found
}

function moveOne(chargebacks: Chargebacks, request: Request, status: Status): Chargeback {
  const wanted = parse(moving, isForm(request) ? {} : (request.body ?? {}))
  const [found] = current(chargebacks, [chargebacks.book.get(String(request.params['id'])) ?? []].flat())
  if (!found) throw new ControlError(404, 'There is no such chargeback')
  if (!mayBecome(found, status)) throw new ControlError(409, `The chargeback is ${found.status}`)
  const moved = move(chargebacks, found, status)
  if (wanted.webhook === 'sent') tell(chargebacks, moved)
  return moved
}
