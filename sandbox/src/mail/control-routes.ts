import { Router } from 'express'
import { z } from 'zod'
import { ControlError, methodNotAllowed, parse } from '../problem'
import type { Mailbox } from './mailbox'

const search = z.strictObject({ to: z.string().optional() })

export function mailControls(mailbox: Mailbox): Router {
  const router = Router()

  router
    .route('/mailbox')
    .get((request, response) => {
      const { to } = parse(search, request.query)
      response.json(mailbox.list(to))
    })
    .delete((_request, response) => {
      mailbox.empty()
      response.status(204).end()
    })
    .all(methodNotAllowed('GET', 'DELETE'))

  // A mail as its receiver sees it. Its HTML is untrusted: it runs no script and sends no form.
  router
    .route('/mailbox/:id')
    .get((request, response) => {
      const mail = mailbox.get(request.params['id'])
      if (!mail) throw new ControlError(404, 'There is no such mail')
      response.set(
        'Content-Security-Policy',
        "sandbox allow-popups; default-src 'none'; img-src http: https: data:; style-src 'unsafe-inline'",
      )
      if (mail.html === '') response.type('text').send(mail.text)
      else response.type('html').send(mail.html)
    })
    .all(methodNotAllowed('GET'))

  return router
}
