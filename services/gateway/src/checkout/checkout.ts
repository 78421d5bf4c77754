import express, { Router, type ErrorRequestHandler } from 'express'
import { readAssets, type Asset } from '../pages/assets'
import { countBoletoTries, countCardTries } from './card-tries'
import { challengeReturn } from './challenge-return'
import { findOpened, openedOf, type Checkout, type CheckoutDeps } from './checkout-context'
import { issueBoleto } from './issue-boleto'
import { guardForm, openPage, showOpened, type ShowOpened } from './open-page'
import { notFoundFault, toFault } from './page-fault'
import { plainHeaders } from './page-headers'
import { isPayable, stateOf } from './page-state'
import { faultOfPayer } from './payer-back'
import { payByCard } from './pay-by-card'
import { createSellerName } from './seller-name'
import { createShow, VIEWS_DIR } from './show-page'
import { createVisits } from './visits'

const MAX_FORM = '16kb'
const MAX_FIELDS = 10
const ASSETS: readonly Asset[] = [
  { path: '/style.css', type: 'css', files: ['frame.css', 'summary.css', 'forms.css', 'ends.css'] },
  { path: '/pay.js', type: 'js', files: ['pay.js'] },
  { path: '/icon.svg', type: 'svg', files: ['icon.svg'] },
]

/** The page on which an invoice is paid, mounted at /checkout. Anyone with its address may pay, without signing in. */
export function checkoutRoutes(deps: CheckoutDeps): Router {
  // BASE_URL may have a path of its own: links carry the path that the browser sees.
  const pathOf = (path: string) => new URL(`${deps.baseUrl}${path}`).pathname
  const root = pathOf('/checkout')
  const { routes, ...assets } = readAssets(VIEWS_DIR, ASSETS)
  const visits = createVisits(deps.baseUrl)
  const { checkoutTriesOfInvoice: ofInvoice, checkoutTriesOfAddress: ofAddress } = deps.config
  const checkout: Checkout = {
    ...deps,
    root,
    visits,
    tries: countCardTries({ ofInvoice, ofAddress }),
    sellerName: createSellerName(deps.pool),
    boletoTries: countBoletoTries({ ofInvoice, ofAddress }),
    ...createShow({ root, boletos: pathOf('/boletos'), assets, visits }),
  }
  const show = showOpened(checkout)
  const router = Router()
  router.use(plainHeaders(deps.baseUrl))
  router.use('/assets', routes)
  router.use(challengeReturn(checkout))
  router.use('/:publicId', openPage(checkout))
  router.get('/:publicId', (req, res) => show(req, res, faultOfPayer(req)))
  router.get('/:publicId/state', (_req, res) => {
    const { page } = openedOf(res)
    const status = stateOf(page, Date.now())
    // `now` is for the seal of a card: a payer's clock may be wrong.
    res
      .set('Cache-Control', 'no-store')
      .json({ status, now: Math.floor(Date.now() / 1_000), sellerId: page.invoice?.sellerId })
  })
  const form = express.urlencoded({
    extended: false,
    limit: MAX_FORM,
    parameterLimit: MAX_FIELDS,
    inflate: false,
  })
  router.post('/:publicId/pay', form, guardForm(checkout), payByCard(checkout))
  router.post('/:publicId/boleto', form, guardForm(checkout), issueBoleto(checkout))
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
    if (!goesOn || !isPayable(stateOf(opened.page, Date.now()))) return showFault(req, res, fault)
    try {
      await show(req, res, fault)
    } catch {
      // The page can't be shown either: show the first fault without it.
      showFault(req, res, fault)
    }
  }
}
