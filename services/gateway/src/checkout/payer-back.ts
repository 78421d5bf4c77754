import type { Request } from 'express'
import { PageFault } from './page-fault'

/** Of the page's query: how a payer came back from the issuer. */
export const PAYER = 'payer'
export const NOT_AUTHENTICATED = 'not-authenticated'

/** What the page says to a payer whom the issuer did not authenticate. */
export function faultOfPayer(req: Request): PageFault | undefined {
  if (req.query[PAYER] !== NOT_AUTHENTICATED) return undefined
  return new PageFault(200, ({ notAuthenticated }) => notAuthenticated)
}
