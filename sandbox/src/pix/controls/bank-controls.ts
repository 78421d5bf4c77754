import { randomUUID } from 'node:crypto'
import express, { Router } from 'express'
import { z } from 'zod'
import { ControlError, methodNotAllowed, NOTHING, parse } from '../../problem'
import { amount } from './payment-controls'
import { findReceived } from './find'
import type { PixBank } from '../pix-bank'
import { newMessageId, returnable } from '../received/received'
import { addDevolution, settleDevolution } from '../received/settle'
import { presentReceived } from './truth'
import { WEBHOOK_FAULTS } from '../webhooks/webhook-sender'

const LIST_MAX = 10_000
const times = z.int().min(1).max(10_000).default(1)
const ended = z.strictObject({ status: z.enum(['DEVOLVIDO', 'NAO_REALIZADO']) })
const nextReturn = z.strictObject({
  status: z.enum(['EM_PROCESSAMENTO', 'DEVOLVIDO', 'NAO_REALIZADO']),
  times,
})
const med = z.strictObject({
  nature: z.enum(['MED_FRAUDE', 'MED_OPERACIONAL', 'MED_PIX_AUTOMATICO']).default('MED_FRAUDE'),
  amountInCents: amount.optional(),
})
const webhookFault = z.strictObject({
  kind: z.enum(WEBHOOK_FAULTS),
  times,
  delayMs: z.int().min(0).max(600_000).default(0),
})
const release = z.strictObject({ perCall: z.int().min(1).max(1_000).default(100) })
const settings = z.strictObject({ tokenSeconds: z.int().min(1).max(86_400) })

/** The controls of the bank itself: returns, tokens, webhooks. */
export function pixBankControls(bank: PixBank): Router {
  const router = Router()
  returnControls(router, bank)
  tokenControls(router, bank)
  webhookControls(router, bank)
  return router
}

function returnControls(router: Router, bank: PixBank): void {
  router
    .route('/pix/devolutions/next')
    .post(express.json(), (request, response) => {
      const wanted = parse(nextReturn, request.body)
      bank.nextDevolutions.push(wanted)
      response.status(201).json(wanted)
    })
    .all(methodNotAllowed('POST'))

  router
    .route('/pix/received/:endToEndId/devolutions/:id/settle')
    .post(express.json(), async (request, response) => {
      const { status } = parse(ended, request.body)
      const pix = findReceived(bank, request.params['endToEndId'])
      const devolution = pix.devolutions.find(({ id }) => id === request.params['id'])
      if (!devolution) throw new ControlError(404, 'There is no such return')
      if (devolution.status !== 'EM_PROCESSAMENTO') throw new ControlError(422, 'The return has ended')
      const settled = settleDevolution(bank, pix, devolution.id, status, await bank.now())
      response.json(presentReceived(settled))
    })
    .all(methodNotAllowed('POST'))

  // The bank gives a payer's money back by itself: the special return mechanism (MED).
  router
    .route('/pix/received/:endToEndId/med')
    .post(express.json(), async (request, response) => {
      const { nature, amountInCents } = parse(med, request.body ?? {})
      const pix = findReceived(bank, request.params['endToEndId'])
      const left = returnable(pix)
      const returned = amountInCents ?? left
      if (returned > left || left === 0) throw new ControlError(422, 'The Pix has less left to return')
      const now = await bank.now()
      const id = `MED${randomUUID().replaceAll('-', '')}`
      const rtrId = newMessageId('D', now)
      const asked = { id, rtrId, amount: returned, nature, status: 'EM_PROCESSAMENTO', askedAt: now } as const
      const settled = addDevolution(bank, pix, asked, 'DEVOLVIDO')
      response.status(201).json(presentReceived(settled))
    })
    .all(methodNotAllowed('POST'))
}

function tokenControls(router: Router, bank: PixBank): void {
  router
    .route('/pix/settings')
    .get((_request, response) => void response.json({ tokenSeconds: bank.clients.tokenSeconds }))
    .post(express.json(), (request, response) => {
      bank.clients.tokenSeconds = parse(settings, request.body).tokenSeconds
      response.json({ tokenSeconds: bank.clients.tokenSeconds })
    })
    .all(methodNotAllowed('GET', 'POST'))

  router
    .route('/pix/tokens/end')
    .post(express.json(), (request, response) => {
      parse(NOTHING, request.body ?? {})
      bank.clients.endTokens()
      response.status(204).end()
    })
    .all(methodNotAllowed('POST'))

  router
    .route('/pix/clients/:clientId')
    .delete((request, response) => {
      if (!bank.clients.forget(request.params['clientId'])) {
        throw new ControlError(404, 'There is no such client')
      }
      response.status(204).end()
    })
    .all(methodNotAllowed('DELETE'))
}

function webhookControls(router: Router, bank: PixBank): void {
  router
    .route('/pix/notices')
    .get((_request, response) => void response.json(bank.sender.newest(LIST_MAX)))
    .all(methodNotAllowed('GET'))

  router
    .route('/pix/webhooks/next')
    .post(express.json(), (request, response) => {
      const wanted = parse(webhookFault, request.body)
      bank.sender.addFault(wanted)
      response.status(201).json(wanted)
    })
    .all(methodNotAllowed('POST'))

  router
    .route('/pix/webhooks/hold')
    .post(express.json(), (request, response) => {
      parse(NOTHING, request.body ?? {})
      bank.sender.holding = true
      response.status(204).end()
    })
    .all(methodNotAllowed('POST'))

  router
    .route('/pix/webhooks/release')
    .post(express.json(), (request, response) => {
      const { perCall } = parse(release, request.body ?? {})
      response.json({ calls: bank.sender.release(perCall) })
    })
    .all(methodNotAllowed('POST'))
}
