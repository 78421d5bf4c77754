import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import express, { Router, type RequestHandler } from 'express'
import { accountPages } from './account'
import { chargePages } from './charges'
import { guardForms } from './csrf'
import { answerFault, answerMissing } from './fault-pages'
import { createPages, VIEWS_DIR } from './pages'
import type { Portal, PortalDeps } from './portal-context'
import { securityHeaders } from './security-headers'
import { createCookies, readSession, requireSession } from './session'
import { signInPages, signOut } from './sign-in'
import { tokenPages } from './tokens'
import { webhookPages } from './webhooks'

const MAX_FORM = '16kb'
const MAX_FIELDS = 100
const ASSETS = ['style.css', 'copy.js', 'icon.svg']

/** The seller's portal: pages made here, forms that need no script. To be mounted at /portal, before the API. */
export function portalRoutes(deps: PortalDeps): Router {
  // BASE_URL may carry a path of its own: links and cookies name what the browser sees.
  const root = new URL(`${deps.baseUrl}/portal`).pathname
  const version = hashOfAssets()
  const portal: Portal = {
    ...deps,
    root,
    cookies: createCookies(deps.baseUrl, root),
    show: createPages({ root, version }),
  }
  const router = Router()
  router.use(securityHeaders(deps.baseUrl))
  for (const name of ASSETS) router.get(`/${name}`, sendAsset(name))
  router.use(neverStored, readSession(portal))
  router.use(express.urlencoded({ extended: false, limit: MAX_FORM, parameterLimit: MAX_FIELDS }))
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

/** Pages show a seller's charges and, once, a token: no cache keeps them. */
const neverStored: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store')
  next()
}

function sendAsset(name: string): RequestHandler {
  const text = readFileSync(join(VIEWS_DIR, name))
  return (_req, res) => {
    // Pages ask for it with its hash in the query, so a new one has a new address.
    res.set('Cache-Control', 'public, max-age=31536000, immutable').type(extname(name)).send(text)
  }
}

function hashOfAssets(): string {
  const hash = createHash('sha256')
  for (const name of ASSETS) hash.update(readFileSync(join(VIEWS_DIR, name)))
  return hash.digest('hex').slice(0, 12)
}
