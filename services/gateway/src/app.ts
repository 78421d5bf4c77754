import { notFound } from '@cofre/platform/errors'
import type { Half } from '@cofre/platform/service/services'
import express, { type Express } from 'express'
import helmet from 'helmet'
import { takeAddresses } from './http/forwarded-address'
import { buyRoutes } from './payers/buy/buy'
import { checkoutRoutes, openCheckout } from './payers/checkout/checkout'
import type { Deps } from './deps'
import { docsRoutes } from './docs/docs'
import { describeApi } from './docs/openapi'
import { portalRoutes } from './portal/portal'
import { BOLETO_PDFS, showBoleto } from './payers/boleto-pdf'
import { LOGOS, showLogo } from './payers/logos/show-logo'
import { codeOfInvoice, codeOfOrder, ORDER_PIX_CODES, PIX_CODES, showPixCode } from './payers/pix-code'
import { takeStranger } from './http/authenticate'
import { refuseExpectations } from './http/body/expectation'
import {
  BANK_NOTICES,
  takeBankNotice,
  takeTokenServicePush,
  TOKEN_SERVICE_PUSHES,
} from './partners/partner-pushes'
import { DISPUTE_HINTS, takeDisputeHint } from './partners/dispute-hints'
import { PIX_NOTICES, takePixNotice } from './partners/pix-notices'
import { problems } from './http/problem'
import { recordRequests } from './history/record-requests'
import { refuseLate } from './http/refuse-late'
import { logRequests } from './http/request-log'
import { requestContext } from './http/request-context'
import { pathsOf, type Route } from './http/route'
import { routes } from './api/all-routes'
import { healthRoutes } from './api/service'
import { serveRoutes } from './http/serve-route'
import { voucherCallback } from './payers/voucher-callback/voucher-callback'

/** Creates the HTTP that SERVE names: the API with its manual, the pages, or both. Every other path gets a problem. */
export function createApp(deps: Deps): Express {
  const app = express()
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing')
  const { httpTimeoutMs, httpMaxLagMs, trustedProxies, serve } = deps.config
  const serves = (half: Half) => serve === 'all' || serve === half
  app.set('trust proxy', trustedProxies)
  app.use(takeAddresses(trustedProxies), requestContext(httpTimeoutMs))
  app.use(refuseLate(httpMaxLagMs, deps.log), logRequests(deps.log), refuseExpectations())
  // Pages have headers of their own, so they stand before the headers of the API.
  if (serves('api')) serveManual(app, deps)
  if (serves('pages')) servePages(app, deps)
  const words = wordsOf(routes)
  app.use(recordRequests(deps.recorder, words), apiHeaders(deps.baseUrl))
  if (serves('pages')) {
    app.get(BOLETO_PDFS, showBoleto(deps)).get(LOGOS, showLogo(deps))
    app.get(PIX_CODES, showPixCode(deps, codeOfInvoice)).get(ORDER_PIX_CODES, showPixCode(deps, codeOfOrder))
  }
  if (serves('api')) servePushes(app, deps)
  serveRoutes(app, deps, serves('api') ? routes : healthRoutes)
  app.use(() => {
    throw notFound('There is no operation at this path. See /docs for all of them.')
  })
  app.use(problems({ baseUrl: deps.baseUrl, words }, deps.log))
  return app
}

function serveManual(app: Express, deps: Deps): void {
  const docs = docsRoutes(deps.baseUrl, () => describeApi(routes, deps.baseUrl))
  app.use('/docs', takeStranger(deps), docs)
  app.all('/', takeStranger(deps), docs)
}

/** The pages that people open in a browser. */
function servePages(app: Express, deps: Deps): void {
  app.use('/portal', portalRoutes(deps))
  const checkout = openCheckout(deps)
  app.use('/checkout', checkoutRoutes(checkout))
  app.use('/buy', buyRoutes(checkout))
  app.use(voucherCallback(deps))
}

function servePushes(app: Express, deps: Deps): void {
  app.post(TOKEN_SERVICE_PUSHES, takeTokenServicePush(deps))
  app.post(BANK_NOTICES, takeBankNotice(deps))
  app.post(`${DISPUTE_HINTS}/:secret`, takeDisputeHint(deps))
  app.post(PIX_NOTICES, takePixNotice(deps))
}

/** An answer of the API is data: browsers must not render it, frame it, sniff it or keep it. */
function apiHeaders(baseUrl: string) {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    strictTransportSecurity: baseUrl.startsWith('https:'),
    xPermittedCrossDomainPolicies: false,
    xDownloadOptions: false,
    originAgentCluster: false,
  })
}

/** The fixed words of all paths: only these are shown of an unknown path. */
function wordsOf(all: readonly Route[]): Set<string> {
  return new Set(
    [
      ...all.flatMap(pathsOf),
      '/docs/errors',
      '/portal',
      TOKEN_SERVICE_PUSHES,
      BANK_NOTICES,
      DISPUTE_HINTS,
      '/partners/pix',
      '/boletos',
      '/logos',
    ].flatMap((path) => path.split('/').filter((word) => !word.startsWith('{'))),
  )
}
