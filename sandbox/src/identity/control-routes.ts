import express, { Router } from 'express'
import { z } from 'zod'
import { isForm } from '../form'
import { methodNotAllowed, parse } from '../problem'
import type { CardGrant } from './card-grants'
import { cardOfGrant, type Identity, revokeOf } from './identity'

const revocation = z.strictObject({ email: z.string().max(200) })

export function identityControls(identity: Identity): Router {
  const router = Router()

  router
    .route('/identity/grants')
    .get((_request, response) => void response.json(identity.grants.list().map(presentGrant)))
    .all(methodNotAllowed('GET'))
  // Tests look for these values in places where they must not appear.
  router
    .route('/identity/issued')
    .get((_request, response) => void response.set('Cache-Control', 'no-store').json(identity.store.issued()))
    .all(methodNotAllowed('GET'))
  router
    .route('/identity/revoke')
    .post(express.json(), express.urlencoded(), (request, response) => {
      const { email } = parse(revocation, request.body)
      const revoked = revokeOf(identity, email)
      if (isForm(request)) response.redirect(303, '/')
      else response.json({ revoked })
    })
    .all(methodNotAllowed('POST'))

  return router
}

export function presentGrant(grant: CardGrant) {
  const { clientId, email, revoked } = grant
  return { clientId, email, cardLastFour: cardOfGrant(grant)?.card.lastFour ?? null, revoked }
}
