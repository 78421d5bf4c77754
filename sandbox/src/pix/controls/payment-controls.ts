import express, { Router } from 'express'
import { z } from 'zod'
import { dayAt, noonOf } from '../../bank/bank-calendar'
import { isForm } from '../../form'
import { ControlError, methodNotAllowed, NOTHING, parse } from '../../problem'
import { chargeKey, termsOf, type Charge } from '../charges/charge'
import { findCharge, findReceived } from './find'
import { pay } from '../charges/payment'
import type { PixBank } from '../pix-bank'
import { receive, report } from '../received/settle'
import { presentReceived, presentTruth } from './truth'

const LIST_MAX = 10_000
const AMOUNT_MAX = 99_999_999_999

export const amount = z.int().min(1).max(AMOUNT_MAX)
const moment = z.int().min(0).max(8_640_000_000_000_000)
const txid = z.string().regex(/^[a-zA-Z0-9]{1,35}$/, 'must be letters and digits')
export const payer = z.strictObject({
  name: z.string().min(1).max(140),
  document: z.string().regex(/^\d{11}$|^[0-9A-Z]{12}\d{2}$/, 'must be a CPF or CNPJ without punctuation'),
})
/** Who pays, unless a control says otherwise. */
export const ANA = { name: 'Ana Souza', document: '12345678909' }

const payment = z.strictObject({
  txid: txid.optional(),
  copyAndPaste: z.string().max(600).optional(),
  amountInCents: amount.optional(),
  scannedAt: moment.optional(),
  paidAt: moment.optional(),
  paidOn: z.iso.date('must be a day: YYYY-MM-DD').optional(),
  forced: z.boolean().default(false),
  times: z.int().min(1).max(100).default(1),
  payer: payer.nullable().default(ANA),
  note: z.string().min(1).max(140).optional(),
})
/** The form sends its fields even when they are empty. */
const paymentForm = z
  .record(z.string(), z.string())
  .transform(({ copyAndPaste, amountInCents = '', paidOn = '', forced, times = '' }) => ({
    copyAndPaste,
    ...(amountInCents && { amountInCents: Number(amountInCents) }),
    ...(paidOn && { paidOn }),
    ...(times && { times: Number(times) }),
    forced: forced === 'on',
  }))
const stray = z.strictObject({
  key: z.string().min(1).max(77),
  amountInCents: amount,
  txid: txid.optional(),
  paidAt: moment.optional(),
  payer: payer.nullable().default(ANA),
})

/** The controls of a payer: to see what is due, and to pay. */
export function pixPaymentControls(bank: PixBank): Router {
  const router = Router()

  router
    .route('/pix/charges')
    .get(async (request, response) => {
      const wanted = parse(z.strictObject({ txid: txid.optional() }), request.query)
      const now = await bank.now()
      const charges = bank.charges.newest(wanted.txid === undefined ? LIST_MAX : Infinity)
      const found = charges.filter((charge) => wanted.txid === undefined || charge.txid === wanted.txid)
      response.json(found.map((charge) => presentTruth(bank, charge, now)))
    })
    .all(methodNotAllowed('GET'))

  router
    .route('/pix/received')
    .get((_request, response) => void response.json(bank.received.newest(LIST_MAX).map(presentReceived)))
    // Money that no charge asked for: the payer had a key alone, or somebody else's number.
    .post(express.json(), async (request, response) => {
      const { key, amountInCents, paidAt = await bank.now(), ...wanted } = parse(stray, request.body)
      const client = bank.keys.get(key)?.client
      if (client === undefined) throw new ControlError(404, 'Nobody has this key')
      const receiver = { client, key, txid: wanted.txid }
      const pix = receive(bank, receiver, {
        amount: amountInCents,
        payer: wanted.payer ?? undefined,
        at: paidAt,
      })
      response.status(201).json(presentReceived(pix))
    })
    .all(methodNotAllowed('GET', 'POST'))

  router
    .route('/pix/pay')
    .post(express.json(), express.urlencoded(), async (request, response) => {
      const form = isForm(request)
      const body: unknown = request.body ?? {}
      const wanted = parse(payment, form ? parse(paymentForm, body) : body)
      const now = await bank.now()
      const at = wanted.paidOn === undefined ? (wanted.paidAt ?? now) : momentOn(wanted.paidOn, now)
      const charge = payTimes(bank, findCharge(bank, wanted), { ...wanted, at })
      if (form)
        response.redirect(303, `/pix/pay?copyAndPaste=${encodeURIComponent(wanted.copyAndPaste ?? '')}`)
      else response.json(presentTruth(bank, charge, now))
    })
    .all(methodNotAllowed('GET', 'POST'))

  // A bank sends its news again when it was not answered, even days later.
  router
    .route('/pix/received/:endToEndId/tell-again')
    .post(express.json(), (request, response) => {
      parse(NOTHING, request.body ?? {})
      report(bank, findReceived(bank, request.params['endToEndId']))
      response.status(204).end()
    })
    .all(methodNotAllowed('POST'))

  // The bank withdraws a charge by itself.
  router
    .route('/pix/charges/:txid/withdraw')
    .post(express.json(), async (request, response) => {
      parse(NOTHING, request.body ?? {})
      const charge = findCharge(bank, { txid: request.params['txid'] })
      if (charge.status !== 'ATIVA') throw new ControlError(422, `The charge is ${charge.status}`)
      const revisions = [...charge.revisions, termsOf(charge)]
      const withdrawn = { ...charge, revisions, status: 'REMOVIDA_PELO_PSP' } as Charge
      bank.charges.save(withdrawn)
      response.json(presentTruth(bank, withdrawn, await bank.now()))
    })
    .all(methodNotAllowed('POST'))

  return router
}

type Wanted = Parameters<typeof pay>[2]

/** Noon of a day, or now on the day that it is. A day that has yet to come is refused: no bank reports its money. */
function momentOn(day: string, now: number): number {
  if (day > dayAt(now)) {
    const detail = 'must not be in the future: move the billing clock first'
    throw new ControlError(400, 'The request has errors', [{ pointer: '#/paidOn', detail }])
  }
  return Math.min(noonOf(day), now)
}

/** Pays so often; each payment after the first slipped through. */
function payTimes(bank: PixBank, charge: Charge, wanted: Wanted & { times: number }): Charge {
  for (let time = 0; time < wanted.times; time += 1) {
    const now = bank.charges.get(chargeKey(charge)) ?? charge
    pay(bank, now, { ...wanted, forced: wanted.forced || time > 0 })
  }
  return bank.charges.get(chargeKey(charge)) ?? charge
}
