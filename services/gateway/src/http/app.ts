import { notFound } from '@cofre/platform/errors'
import express, { type Express } from 'express'
import helmet from 'helmet'
import { takeAddresses } from '../access/forwarded-address'
import { checkoutRoutes } from '../checkout/checkout'
import type { Deps } from '../deps'
import { docsRoutes } from '../openapi/docs'
import { describeApi } from '../openapi/openapi'
import { portalRoutes } from '../portal/portal'
import { BOLETO_PDFS, showBoleto } from '../bank/boleto-pdf'
import { takeStranger } from './authenticate'
import { BANK_NOTICES, takeBankNotice, takeTokenServicePush, TOKEN_SERVICE_PUSHES } from './partner-pushes'
import { problems } from './problem'
import { recordRequests } from '../history/record-requests'
import { refuseLate } from './refuse-late'
import { logRequests } from './request-log'
import { requestContext } from './request-context'
import { pathsOf, type Route } from './route'
import { routes } from '../routes/all-routes'
import { serveRoutes } from './serve-route'
import { voucherCallback } from '../voucher-callback/voucher-callback'

/** Creates all of HTTP: the API's routes, its reference, the portal, and a problem for every other path. */
export function createApp(deps: Deps): Express {
  const app = express()
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing')
  const { httpTimeoutMs, httpMaxLagMs, trustedProxies } = deps.config
  app.set('trust proxy', trustedProxies)
  app.use(takeAddresses(trustedProxies), requestContext(httpTimeoutMs))
  app.use(refuseLate(httpMaxLagMs, deps.log), logRequests(deps.log))
  // Pages have headers of their own, so they stand before the headers of the API.
  const docs = docsRoutes(deps.baseUrl, () => describeApi(routes, deps.baseUrl))
  app.use('/docs', takeStranger(deps), docs)
  app.all('/', takeStranger(deps), docs)
  app.use('/portal', portalRoutes(deps))
  app.use('/checkout', checkoutRoutes(deps))
  app.use(voucherCallback(deps))
  const words = wordsOf(routes)
  app.use(recordRequests(deps.recorder, words), apiHeaders(deps.baseUrl))
  app.post(TOKEN_SERVICE_PUSHES, takeTokenServicePush(deps))
  app.post(BANK_NOTICES, takeBankNotice(deps))
  app.get(BOLETO_PDFS, showBoleto(deps))
  serveRoutes(app, deps, routes)
  app.use(() => {
    throw notFound('There is no operation at this path. See /docs for all of them.')
  })
  app.use(problems({ baseUrl: deps.baseUrl, words }, deps.log))
  return app
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
      '/boletos',
    ].flatMap((path) => path.split('/').filter((word) => !word.startsWith('{'))),
  )
}
