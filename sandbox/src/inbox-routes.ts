import { setTimeout as delay } from 'node:timers/promises'
import express, { type RequestHandler, Router } from 'express'
import { z } from 'zod'
import type { Inbox } from './inbox'
import { ControlError, methodNotAllowed, parse } from './problem'

const BODY_MAX = '1mb'

const path = z.object({
  name: z.string().regex(/^[\w.-]{1,64}$/, 'must be 1 to 64 letters, digits, . _ or -'),
})

const reply = z.strictObject({
  status: z.int().min(200).max(599),
  times: z.int().min(1).max(10_000).default(1),
  delayMs: z.int().min(0).max(600_000).default(0),
})

export function inboxRoutes(inbox: Inbox): Router {
  const router = Router()

  router
    .route('/inbox/:name')
    .post(express.raw({ type: () => true, limit: BODY_MAX }), receive(inbox))
    .get((request, response) => {
      const { name } = parse(path, request.params)
      response.json(inbox.list(name))
    })
    .delete((request, response) => {
      const { name } = parse(path, request.params)
      inbox.empty(name)
      response.status(204).end()
    })
    .all(methodNotAllowed('GET', 'POST', 'DELETE'))

  router
    .route('/inbox/:name/respond')
    .post(express.json(), (request, response) => {
      const { name } = parse(path, request.params)
      const wanted = parse(reply, request.body)
      if (!inbox.replyNext(name, wanted)) throw new ControlError(422, 'Too many replies are already set')
      response.status(201).json(wanted)
    })
    .all(methodNotAllowed('POST'))

  return router
}

function receive(inbox: Inbox): RequestHandler {
  return async (request, response) => {
    const { name } = parse(path, request.params)
    const { status, delayMs } = inbox.receive(name, {
      method: request.method,
      headers: request.headers,
      body: Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '',
      receivedAt: Date.now(),
    })
    if (delayMs > 0) await delay(delayMs, undefined, { ref: false })
    // A sender that follows redirects, although it must not, shows up in this other inbox.
    if (status >= 300 && status < 400) response.location(`/inbox/${name}.redirected`)
    response.status(status).end()
  }
}
