import express, { type Express, type RequestHandler } from 'express'
import { aleloRoutes } from './alelo'
import type { VoucherIssuers } from './voucher-issuers'
import { vrRoutes } from './vr'

/** The APIs of the voucher issuers, over https: one address, a path for each. */
export function issuerHost(issuers: VoucherIssuers): Express {
  const app = express().disable('x-powered-by').disable('etag')
  return app.use('/alelo', aleloRoutes(issuers)).use('/vr', vrRoutes(issuers)).use(wrongRoute)
}

const wrongRoute: RequestHandler = (_request, response) => void response.status(404).end()
