import express, { type Express } from 'express'
import type { Identity } from '../identity/identity'
import { identityCalls } from '../identity/identity-routes'
import { wrongRoute } from '../partner-routes'
import { aleloRoutes } from './alelo'
import { ticketRoutes } from './ticket'
import type { VoucherIssuers } from './voucher-issuers'
import { vrRoutes } from './vr'

/** The APIs of the voucher issuers and their identity provider, over https: one address, a path for each. */
export function issuerHost(issuers: VoucherIssuers, identity: Identity): Express {
  const app = express().disable('x-powered-by').disable('etag')
  app.use('/alelo', aleloRoutes(issuers))
  app.use('/vr', vrRoutes(issuers))
  app.use('/ticket', ticketRoutes(issuers, identity))
  app.use(identityCalls(identity), wrongRoute)
  return app
}
