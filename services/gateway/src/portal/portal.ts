import express, { Router, type RequestHandler } from 'express'
import { takeStranger } from '../http/authenticate'
import { accountPages } from './account'
import { portalAssets } from './assets'
import { chargePages } from './charges'
import { guardForms } from './csrf'
import { answerFault, answerMissing } from './fault-pages'
import { createPages } from './pages'
import type { Portal, PortalDeps } from './portal-context'
import { securityHeaders } from './security-headers'
import { createCookies, findSessionOf, readSession, requireSession } from './session'
import { signInPages, signOut } from './sign-in'
import { tokenPages } from './tokens'
import { webhookPages } from './webhooks'

const MAX_FORM = '16kb'
const MAX_FIELDS = 100

/** The seller's portal: pages made here, forms that need no script. Mounted at /portal, before the API. */
export function portalRoutes(deps: PortalDeps): Router {
  // BASE_URL may have a path of its own: links and cookies carry the path that the browser sees.
  const root = new URL(`${deps.baseUrl}/portal`).pathname
  const assets = portalAssets()
  const portal: Portal = {
    ...deps,
    root,
    cookies: createCookies(deps.baseUrl, root),
    show: createPages({ root, version: assets.version }),
  }
  const router = Router()
  router.use(securityHeaders(deps.baseUrl))
  router.use(assets.routes)
  router.use(neverStored, readSession(portal), takeStrangers(deps))
  // No browser compresses a form.
  router.use(
    express.urlencoded({ extended: false, limit: MAX_FORM, parameterLimit: MAX_FIELDS, inflate: false }),
  )
  const guard = guardForms(portal)
  router.use('/login', guard, signInPages(portal))
  router.use(requireSession(portal), guard)
  router.post('/logout', signOut(portal))
  router.use(chargePages(portal))
  router.get(['/settings', '/settings/integrations'], (_req, res) => {
    res.redirect(303, `${root}/settings/integrations/api`)
  })
  router.use('/settings/integrations/api', tokenPages(portal))
  router.use('/settings/integrations/webhooks', webhookPages(portal))
  router.use('/settings/account', accountPages(portal))
  router.use(answerMissing, answerFault(portal))
  return router
}

/** Counts browsers that have not signed in by address, as everywhere. */
function takeStrangers(deps: PortalDeps): RequestHandler {
  const take = takeStranger(deps)
  return (req, res, next) => (findSessionOf(res) ? next() : take(req, res, next))
}

/** Pages show a seller's charges and, once, a token: no cache keeps them. */
const neverStored: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store')
  next()
}
