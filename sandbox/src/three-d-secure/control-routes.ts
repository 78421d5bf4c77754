import express, { Router } from 'express'
import { ControlError, methodNotAllowed, NOTHING, parse } from '../problem'
import { asOf, type Authentication } from './authentication'
import type { ThreeDSecure } from './three-d-secure'

const LIST_MAX = 10_000

export function threeDSecureControls({ book }: ThreeDSecure): Router {
  const router = Router()

  router
    .route('/three-d-secure/authentications')
    .get((_request, response) => void response.json(book.newest(LIST_MAX).map(present)))
    .all(methodNotAllowed('GET'))

  // The payer has ten minutes: a test can't wait that long.
  router
    .route('/three-d-secure/authentications/:id/expire')
    .post(express.json(), express.urlencoded(), (request, response) => {
      parse(NOTHING, request.body ?? {})
      const authentication = book.get(request.params['id'])
      if (!authentication) throw new ControlError(404, 'There is no such authentication')
      const expired = { ...authentication, expiresAt: Date.now() }
      book.save(expired)
      response.json(present(expired))
    })
    .all(methodNotAllowed('POST'))

  return router
}

/** Returns an authentication without its value, which anybody could use. */
function present(authentication: Authentication) {
  const { id, status, reason, brand, cardLastFour, amount, eci, merchantId, returnUrl } = asOf(
    authentication,
    Date.now(),
  )
  return { id, status, reason, brand, cardLastFour, amount, eci, merchantId, returnUrl }
}
