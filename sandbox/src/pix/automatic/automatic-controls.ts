import express, { Router } from 'express'
import { z } from 'zod'
import { isForm } from '../../form'
import { ControlError, methodNotAllowed, NOTHING, parse } from '../../problem'
import { payer, ANA } from '../controls/payment-controls'
import type { PixBank } from '../pix-bank'
import { cancelOpenCharges, openAttempt, presentWhole, type Cobr } from './cobr'
import { collect, REJECTIONS, settleAttempt } from './collect'
import { JOURNEYS, moveRec, presentRecWithCode, statusOfRec, type Rec, type RecStatus } from './rec'

const LIST_MAX = 10_000

const accepted = z.strictObject({
  journey: z.enum(JOURNEYS).optional(),
  payer: payer.default(ANA),
})
const refusedBy = z.strictObject({ code: z.enum(['AP13', 'AP14']).default('AP13') })
const cancelledBy = z.strictObject({
  by: z.enum(['USUARIO_PAGADOR', 'PSP_PAGADOR', 'PSP_RECEBEDOR']).default('USUARIO_PAGADOR'),
  code: z.enum(['ACCL', 'CPCL', 'DCSD', 'ERSL', 'FRUD', 'PCFD', 'SLCR', 'SLDB']).default('SLDB'),
})
const outcome = z.strictObject({ code: z.enum(REJECTIONS).optional() })
const next = z.strictObject({
  code: z.enum(REJECTIONS),
  times: z.int().min(1).max(10_000).default(1),
  idRec: z.string().max(29).optional(),
})

/** The controls of Pix Automático: what payers and their banks do. */
export function automaticControls(bank: PixBank): Router {
  const router = Router()
  permissionControls(router, bank)
  collectionControls(router, bank)
  return router
}

function permissionControls(router: Router, bank: PixBank): void {
  router
    .route('/pix/recs')
    .get((_request, response) => {
      response.json(bank.recs.newest(LIST_MAX).map((rec) => presentRecWithCode(bank, rec)))
    })
    .all(methodNotAllowed('GET'))

  /** Moves a permission from one of these statuses; the form of the page goes back to it. */
  const decision = <T>(
    action: string,
    schema: z.ZodType<T>,
    from: readonly RecStatus[],
    move: (rec: Rec, wanted: T, now: number) => Rec,
  ) =>
    router
      .route(`/pix/recs/:idRec/${action}`)
      .post(express.json(), express.urlencoded(), async (request, response) => {
        const form = isForm(request)
        const wanted = parse(schema, request.body ?? {})
        const rec = bank.recs.get(request.params['idRec'])
        if (!rec) throw new ControlError(404, 'There is no such permission')
        if (!from.includes(statusOfRec(rec)))
          throw new ControlError(422, `The permission is ${statusOfRec(rec)}`)
        const moved = move(rec, wanted, await bank.now())
        if (form) response.redirect(303, '/')
        else response.json(presentRecWithCode(bank, moved))
      })
      .all(methodNotAllowed('POST'))

  decision('accept', accepted, ['CRIADA'], (rec, { journey, payer: by }, now) =>
    moveRec(bank, rec, 'APROVADA', now, {
      journey: journey ?? (rec.txid === undefined ? 'JORNADA_2' : 'JORNADA_3'),
      payer: by,
    }),
  )
  decision('refuse', refusedBy, ['CRIADA'], (rec, { code }, now) =>
    moveRec(bank, rec, 'REJEITADA', now, {
      ending: { rejeicao: { codigo: code, descricao: 'O usuário pagador recusou a recorrência' } },
    }),
  )
  decision('expire', NOTHING, ['CRIADA'], (rec, _wanted, now) => moveRec(bank, rec, 'EXPIRADA', now))
  decision('cancel', cancelledBy, ['CRIADA', 'APROVADA'], (rec, { by, code }, now) => {
    const cancelamento = { solicitante: by, codigo: code, descricao: 'A recorrência foi cancelada' }
    const cancelled = moveRec(bank, rec, 'CANCELADA', now, { ending: { cancelamento } })
    cancelOpenCharges(bank, cancelled, cancelamento, now)
    return cancelled
  })
}

function collectionControls(router: Router, bank: PixBank): void {
  router
    .route('/pix/cobrs')
    .get((_request, response) => {
      response.json(bank.cobrs.newest(LIST_MAX).map((cobr) => presentWhole(bank, cobr)))
    })
    .all(methodNotAllowed('GET'))

  router
    .route('/pix/cobrs/next')
    .post(express.json(), (request, response) => {
      const wanted = parse(next, request.body)
      bank.nextRejections.push({ ...wanted })
      response.status(201).json(wanted)
    })
    .all(methodNotAllowed('POST'))

  // The day of the bank has come for every attempt that is due.
  router
    .route('/pix/cobrs/collect')
    .post(express.json(), async (request, response) => {
      parse(NOTHING, request.body ?? {})
      const settled = collect(bank, await bank.now())
      response.json(settled.map((cobr) => presentWhole(bank, cobr)))
    })
    .all(methodNotAllowed('POST'))

  router
    .route('/pix/cobrs/:txid/settle')
    .post(express.json(), (request, response) => {
      const wanted = parse(outcome, request.body ?? {})
      const cobr = findOpen(bank, request.params['txid'])
      response.json(presentWhole(bank, settleAttempt(bank, cobr, wanted)))
    })
    .all(methodNotAllowed('POST'))
}

function findOpen({ cobrs }: PixBank, txid: string): Cobr {
  const cobr = cobrs
    .all()
    .toReversed()
    .find((one) => one.txid === txid)
  if (!cobr) throw new ControlError(404, 'There is no such collection')
  if (!openAttempt(cobr)) throw new ControlError(422, 'No attempt of the collection is open')
  return cobr
}
