import type { RequestHandler, Response } from 'express'
import { field } from '../pages/form'
import { isFromHere, isSame } from '../pages/sender'
import type { Portal } from './portal-context'
import { PortalFault } from './portal-fault'
import { findSessionOf, keyOf, newSessionId } from './session'

/** The token of a browser's forms. It is made from the browser's cookie, so only our pages in that browser hold it. */
export function formTokenOf(res: Response): string {
  const id: unknown = findSessionOf(res)?.id ?? res.locals.visit
  return typeof id === 'string' ? keyOf(id, 'form').toString('base64url') : ''
}

/**
 * Refuses a form without its browser's token, or one that the browser says comes from another site. A browser that
 * has not signed in gets a cookie of its own for the sign-in form.
 */
export function guardForms({ baseUrl, cookies }: Pick<Portal, 'baseUrl' | 'cookies'>): RequestHandler {
  return (req, res, next) => {
    const reads = req.method === 'GET' || req.method === 'HEAD'
    if (!findSessionOf(res)) {
      res.locals.visit = cookies.read(req, 'visit')
      if (res.locals.visit === undefined && reads) {
        res.locals.visit = newSessionId()
        cookies.set(res, 'visit', res.locals.visit as string)
      }
    }
    const token = formTokenOf(res)
    if (reads || (token !== '' && isFromHere(req, baseUrl) && isSame(field(req, 'formToken'), token))) {
      return next()
    }
    throw new PortalFault(
      403,
      'This form was not accepted',
      'It was open for too long, or it did not come from this portal. Open the page again and send it once more.',
    )
  }
}
