import type { MethodName } from '@cofre/api/methods/payment-methods'
import express, { Router, type ErrorRequestHandler, type RequestHandler } from 'express'
import { readAssets, type Asset } from '../../pages/assets'
import { countAskTries, countCardTries } from './card-tries'
import { challengeReturn } from './challenge-return'
import { findOpened, openedOf, type Checkout, type CheckoutDeps } from './checkout-context'
import { issueBoleto, issuePix } from './issue-ask'
import { METHODS, PARTS } from '../methods/methods'
import { guardForm, openPage, showOpened, type ShowOpened } from './open-page'
import { notFoundFault, toFault } from './page-fault'
import { plainHeaders } from './page-headers'
import { isPayable, stateOf } from './page-state'
import { faultOfPayer } from './payer-back'
import { payByCard } from './pay-by-card'
import { askToRemove, removeKeptCard } from './remove-card'
import { logosOf } from '../logos/show-logo'
import { createShow, VIEWS_DIR } from './show-page'
import { createVisits } from './visits'

const MAX_FORM = '16kb'
const MAX_FIELDS = 10
export const CHECKOUT_ASSETS: readonly Asset[] = [
  { path: '/style.css', type: 'css', files: ['frame.css', 'summary.css', 'forms.css', 'ends.css'] },
  { path: '/pay.js', type: 'js', files: ['pay.js'] },
  { path: '/icon.svg', type: 'svg', files: ['icon.svg'] },
]

/** Takes the form of each method. */
const TAKES: Record<MethodName, (checkout: Checkout) => RequestHandler<{ publicId: string }>> = {
  CREDIT_CARD: payByCard,
  BOLETO: issueBoleto,
  PIX: issuePix,
}

/** What the pages of payers share: their look, their cookie and their limits. */
export function openCheckout(deps: CheckoutDeps): Checkout {
  // BASE_URL may have a path of its own: links carry the path that the browser sees.
  const pathOf = (path: string) => new URL(`${deps.baseUrl}${path}`).pathname
  const root = pathOf('/checkout')
  const { routes, ...assets } = readAssets(VIEWS_DIR, CHECKOUT_ASSETS)
  const visits = createVisits(deps.baseUrl)
  const { checkoutTriesOfInvoice: ofInvoice, checkoutTriesOfAddress: ofAddress } = deps.config
  return {
    ...deps,
    root,
    assets: routes,
    visits,
    tries: countCardTries({ ofInvoice, ofAddress }),
    askTries: countAskTries({ ofInvoice, ofAddress }),
    ...createShow({
      root,
      boletos: pathOf('/boletos'),
      logos: logosOf(deps.baseUrl),
      sandbox: deps.config.sandboxUrl,
      assets,
      visits,
    }),
  }
}

/** Reads the small forms of payers. */
export function readForm(): RequestHandler {
  return express.urlencoded({
    extended: false,
    limit: MAX_FORM,
    parameterLimit: MAX_FIELDS,
    inflate: false,
  })
}

/** The page on which an invoice is paid, mounted at /checkout. Anyone with its address may pay, without signing in. */
export function checkoutRoutes(checkout: Checkout): Router {
  const show = showOpened(checkout)
  const router = Router()
  router.use(plainHeaders(checkout.baseUrl))
  router.use('/assets', checkout.assets)
  router.use(challengeReturn(checkout))
  router.use('/:publicId', openPage(checkout))
  router.get('/:publicId', (req, res) => show(req, res, faultOfPayer(req)))
  router.get('/:publicId/state', (_req, res) => {
    const { publicId, page } = openedOf(res)
    const status = stateOf(page)
    // The rest is for the seal of a card. A payer's clock may be wrong.
    const now = Math.floor(Date.now() / 1_000)
    const claims = { now, sellerId: page.invoice?.sellerId, invoiceId: publicId }
    res.set('Cache-Control', 'no-store').json({ status, ...claims })
  })
  const form = readForm()
  for (const method of METHODS) {
    router.post(`/:publicId/${PARTS[method].path}`, form, guardForm(checkout), TAKES[method](checkout))
  }
  router.get('/:publicId/remove-card', askToRemove(checkout))
  router.post('/:publicId/remove-card', form, guardForm(checkout), removeKeptCard(checkout))
  router.use(() => {
    throw notFoundFault()
  })
  router.use(answerFault(checkout, show))
  return router
}

/** Shows a fault on the invoice's page while it can be paid, so that the payer goes on; else on a page of its own. */
function answerFault({ log, showFault }: Checkout, show: ShowOpened): ErrorRequestHandler {
  return async (error: unknown, req, res, next) => {
    if (res.headersSent) return next(error)
    const fault = toFault(error)
    if (fault.status === 500) log.error({ err: error }, 'checkout failed')
    else log.info({ status: fault.status }, 'checkout refused')
    const { retryAfterSeconds } = fault.extra
    if (retryAfterSeconds !== undefined) res.set('Retry-After', String(retryAfterSeconds))
    const opened = findOpened(res)
    const goesOn = opened && req.method === 'POST' && fault.status !== 404
    if (!goesOn || !isPayable(stateOf(opened.page))) return showFault(req, res, fault)
    try {
      await show(req, res, fault)
    } catch {
      // The page can't be shown either: show the first fault without it.
      await showFault(req, res, fault)
    }
  }
}
