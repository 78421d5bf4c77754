import type { IncomingMessage } from 'node:http'
import { DomainError } from '@cofre/platform/errors'
import type { RequestHandler } from 'express'

/** True when the client sends its body only after 100 Continue, or after some seconds. */
export function awaitsContinue({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect ?? '')
}

/** Refuses any other expectation (RFC 9110, section 10.1.1). HTTP/1.0 has none. */
export function refuseExpectations(): RequestHandler {
  return (req, res, next) => {
    if (req.headers.expect === undefined || awaitsContinue(req) || req.httpVersion === '1.0') return next()
    res.setHeader('Connection', 'close')
    const message = 'The header Expect has another value than 100-continue: leave it out.'
    throw new DomainError('invalid_argument', 'EXPECTATION_FAILED', message)
  }
}
