import express, { type Request, Router } from 'express'
import { z } from 'zod'
import { ControlError, methodNotAllowed, parse } from '../problem'
import { isForm } from '../form'
import { move, type NetworkToken, replaceCard } from './token'
import { presentTruth } from './token-answer'
import type { TokenService } from './token-service'

export const DELAY_MAX_MS = 600_000
const LIST_MAX = 10_000

const search = z.strictObject({ reference: z.string().optional() })
const settings = z.strictObject({ delayMs: z.int().min(0).max(DELAY_MAX_MS) })
const settingsForm = z.strictObject({ delayMs: z.coerce.number() })
const newStatus = z.strictObject({ status: z.enum(['ACTIVE', 'SUSPENDED', 'DELETED']) })
const newCard = z.strictObject({
  lastFour: z.string().regex(/^\d{4}$/, 'must be four digits'),
  expirationYear: z.int().min(2000).max(2099),
  expirationMonth: z.int().min(1).max(12).optional(),
})

export function tokenServiceControls(service: TokenService): Router {
  const router = Router()
  const { tokens, cryptograms, lifeCycle } = service
  const truthOf = (token: NetworkToken) => presentTruth(token, cryptograms.ofToken(token.id))

  router
    .route('/token-service/tokens')
    .get((request, response) => {
      const { reference } = parse(search, request.query)
      const found = reference === undefined ? tokens.newest(LIST_MAX) : tokens.ofReference(reference)
      response.json(found.map(truthOf))
    })
    .all(methodNotAllowed('GET'))

  router
    .route('/token-service/settings')
    .get((_request, response) => void response.json({ delayMs: lifeCycle.delayMs }))
    .post(express.json(), express.urlencoded(), (request, response) => {
      const form = isForm(request)
      const { delayMs } = parse(settings, form ? parse(settingsForm, request.body) : request.body)
      lifeCycle.delayMs = delayMs
      if (form) response.redirect(303, '/')
      else response.json({ delayMs })
    })
    .all(methodNotAllowed('GET', 'POST'))

  router
    .route('/token-service/tokens/:id/status')
    .post(express.json(), (request, response) => {
      const { status } = parse(newStatus, request.body)
      const token = find(service, request)
      if (token.status !== status) change(service, move(token, status, Date.now()))
      response.json(truthOf(find(service, request)))
    })
    .all(methodNotAllowed('POST'))

  router
    .route('/token-service/tokens/:id/replace-card')
    .post(express.json(), (request, response) => {
      const token = find(service, request)
      const card = { expirationMonth: token.card.expirationMonth, ...parse(newCard, request.body) }
      change(service, replaceCard(token, card, Date.now()))
      response.json(truthOf(find(service, request)))
    })
    .all(methodNotAllowed('POST'))

  return router
}

function change({ lifeCycle }: TokenService, changed: NetworkToken | undefined): void {
  if (!changed) throw new ControlError(422, 'A token in this status does not allow this change')
  lifeCycle.change(changed)
}

function find({ tokens }: TokenService, { params }: Request): NetworkToken {
  const token = tokens.get(String(params['id']))
  if (!token) throw new ControlError(404, 'There is no such token')
  return token
}
