import express, { type RequestHandler, Router } from 'express'
import { z } from 'zod'
import { isForm } from './form'
import { FAULT_KINDS, type Faults, PARTNERS } from './faults'
import { ControlError, methodNotAllowed, parse } from './problem'

const fault = z
  .strictObject({
    partner: z.enum(PARTNERS),
    kind: z.enum(FAULT_KINDS),
    times: z.int().min(1).max(10_000).default(1),
    delayMs: z.int().min(0).max(600_000).default(0),
    changes: z.boolean().default(true),
    queries: z.boolean().default(false),
  })
  .refine(({ changes, queries }) => changes || queries, {
    path: ['queries'],
    error: 'must be true when changes is false',
  })

const faultForm = z
  .record(z.string(), z.string())
  .transform(({ times = '', delayMs = '', queries, ...rest }) => ({
    ...rest,
    times: Number(times),
    delayMs: Number(delayMs),
    queries: queries === 'on',
  }))

export function faultRoutes(faults: Faults): Router {
  const router = Router()
  router.use('/faults', express.json(), express.urlencoded())

  router
    .route('/faults')
    .get((_request, response) => void response.json(faults.list()))
    .post(setFault(faults))
    .delete((_request, response) => {
      faults.clear()
      response.status(204).end()
    })
    .all(methodNotAllowed('GET', 'POST', 'DELETE'))

  // An HTML form cannot send DELETE.
  router
    .route('/faults/clear')
    .post((_request, response) => {
      faults.clear()
      response.redirect(303, '/')
    })
    .all(methodNotAllowed('POST'))

  return router
}

function setFault(faults: Faults): RequestHandler {
  return async (request, response) => {
    const form = isForm(request)
    const wanted = parse(fault, form ? parse(faultForm, request.body) : request.body)
    if (!faults.add(wanted)) throw new ControlError(422, 'Too many faults are already set')
    await faults.inEffect()
    if (form) response.redirect(303, '/')
    else response.status(201).json(wanted)
  }
}
