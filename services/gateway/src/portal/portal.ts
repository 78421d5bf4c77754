import { setTimeout } from 'node:timers/promises'
import express, { Router, type RequestHandler } from 'express'
import { DomainError } from '@cofre/platform/errors'
import { takeStranger } from '../http/authenticate'
import { countRunning, untilClosed } from '../http/in-flight'
import { createTurns } from '../http/turns'
import { hasRight } from '../sellers/roles'
import { readFileForm } from './desk/file-form'
import { search } from './desk/search'
import { showHome } from './home/home'
import { exportOwing, showOwing } from './home/owing'
import { exportMethods, exportReport, showReport } from './home/reports'
import { auditPages } from './people/audit-page'
import { confirmPassword } from './people/confirm-password'
import { forgottenPages } from './people/forgotten'
import { joinPages } from './people/join'
import { peoplePages } from './people/people-pages'
import { codePages } from './people/sign-in-code'
import { twoStepPages } from './people/two-step-pages'
import { notAllowed } from './portal-fault'
import { accountPages } from './account'
import { portalAssets } from './assets'
import { guardForms } from './csrf'
import { answerFault, answerMissing } from './fault-pages'
import { createPages } from './pages'
import type { Deps } from '../deps'
import type { Portal } from './portal-context'
import { readSandboxClock } from './sandbox/clock'
import { sandboxPages } from './sandbox/sandbox-page'
import { securityHeaders } from './security-headers'
import { callerOf, createCookies, findSessionOf, readSession, requireSession, sessionOf } from './session'
import { signInPages, signOut } from './sign-in'
import { contactPages } from './theme/contact-pages'
import { previewPages } from './theme/preview-pages'
import { themePages } from './theme/theme-pages'
import { LOGO_FILE } from './theme/upload-logo'
import { tokenPages } from './tokens'
import { THINGS } from './things/all-things'
import { secretPages } from './secret'
import { readLanguage } from './words/language'
import { deskPages } from './desk/desk'

const MAX_FORM = '16kb'
const MAX_FIELDS = 100
/** A script that does not wait by itself asks no more than once a second on each of its connections. */
const REFUSED_AFTER_MS = 1_000
/** Pages of one session that are made at once; further ones wait for their turn. A page asks several services at once. */
const PAGES_AT_ONCE = 2

/** The seller's portal: pages made here, forms that need no script. Mounted at /portal, before the API. */
export function portalRoutes(deps: Deps): Router {
  // BASE_URL may have a path of its own: links and cookies carry the path that the browser sees.
  const root = new URL(`${deps.baseUrl}/portal`).pathname
  const assets = portalAssets()
  const portal: Portal = {
    ...deps,
    root,
    cookies: createCookies(deps.baseUrl, root),
    show: createPages({ root, version: assets.version }),
    confirm: confirmPassword(deps),
  }
  const router = Router()
  router.use(securityHeaders(deps.baseUrl))
  router.use(assets.routes)
  router.use(neverStored, readLanguage({ root, isSecure: deps.baseUrl.startsWith('https:') }))
  router.use(readSession(portal), takeStrangers(deps))
  // No browser compresses a form.
  router.use(
    express.urlencoded({ extended: false, limit: MAX_FORM, parameterLimit: MAX_FIELDS, inflate: false }),
  )
  const guard = guardForms(portal)
  router.use('/login/code', guard, codePages(portal))
  router.use('/login/forgotten', guard, forgottenPages(portal))
  router.use('/login', guard, signInPages(portal))
  router.use('/join', guard, joinPages(portal))
  router.use(requireSession(portal), takeSession(deps))
  router.use(readSandboxClock(portal))
  router.use('/disputes/:id/evidence', readFileForm(portal, 'submitDisputeEvidence'))
  router.use('/settings/theme/logo', readFileForm(portal, 'replaceInvoiceTheme', LOGO_FILE))
  router.use(guard)
  router.post('/logout', signOut(portal))
  router.get('/', showHome(portal))
  router.get('/reports', showReport(portal))
  router.get('/reports.csv', exportReport(portal))
  router.get('/reports-by-method.csv', exportMethods(portal))
  router.get('/owing', showOwing(portal))
  router.get('/owing.csv', exportOwing(portal))
  router.use('/invoices/:id/preview', previewPages(portal))
  router.use(deskPages(portal, THINGS))
  router.get('/search', search(portal, THINGS))
  router.get('/settings', (_req, res) => {
    const first = hasRight(sessionOf(res).role, 'developers') ? 'integrations/api' : 'account'
    res.redirect(303, `${root}/settings/${first}`)
  })
  router.use('/settings/integrations', forDevelopers)
  router.get('/settings/integrations', (_req, res) => res.redirect(303, `${root}/settings/integrations/api`))
  router.use('/settings/integrations/api', tokenPages(portal))
  router.get('/settings/integrations/webhooks', (_req, res) => res.redirect(303, `${root}/endpoints`))
  router.use('/settings/integrations/secret', secretPages(portal))
  router.use('/sandbox', sandboxPages(portal))
  router.use('/settings/theme', themePages(portal))
  router.use('/settings/contact', contactPages(portal))
  router.use('/settings/people', peoplePages(portal))
  router.use('/settings/audit', auditPages(portal))
  router.use('/settings/account', accountPages(portal))
  router.use('/settings/two-step', twoStepPages(portal))
  router.use(answerMissing, answerFault(portal))
  return router
}

/** Counts browsers that have not signed in by address, as everywhere. */
function takeStrangers(deps: Deps): RequestHandler {
  const take = takeStranger(deps)
  return (req, res, next) => (findSessionOf(res) ? next() : take(req, res, next))
}

/**
 * Counts a signed-in browser as a token is counted: its requests, and those that run at once. A page counts as the operations
 * that it asks (`askApi`), so that costly pages are no way around the limit. Who asks beyond it waits for the refusal.
 */
function takeSession({ rateLimit, inFlight }: Deps): RequestHandler {
  const turns = createTurns(PAGES_AT_ONCE)
  return async (req, res, next) => {
    const { id, sellerId } = sessionOf(res)
    const key = callerOf(id)
    countRunning(inFlight, req, res, { token: { id: key, sellerId } })
    const endTurn = untilClosed(res, await turns(key))
    // Nobody waits any more.
    if (res.closed) return
    const { allowed, retryAfterSeconds } = rateLimit.take(key)
    if (!allowed) {
      endTurn()
      await setTimeout(REFUSED_AFTER_MS)
      throw new DomainError('rate_limited', 'RATE_LIMITED', 'Too many requests.', { retryAfterSeconds })
    }
    // One place for a page, however many operations it asks.
    const leavePlace = untilClosed(res, inFlight.enter({}))
    res.locals.leave = () => {
      leavePlace()
      endTurn()
    }
    next()
  }
}

const forDevelopers: RequestHandler = (_req, res, next) => {
  if (!hasRight(sessionOf(res).role, 'developers')) throw notAllowed()
  next()
}

/** Pages show a seller's charges and, once, a token: no cache keeps them. */
const neverStored: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store')
  next()
}
