import { databaseNow } from '@cofre/platform/service/database-clock'
import { newRequestId, runCall } from '@cofre/platform/grpc/call-context'
import { holdsCardNumber } from '@cofre/platform/card/card-number'
import { startTrace } from '@cofre/platform/telemetry/spans'
import type { RequestHandler } from 'express'
import type { Route } from './route'

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/**
 * Gives each request its id (the caller's when it is usable), its trace and its deadline. Id and trace go into every
 * log line, so neither may be a card number that a client put in the wrong place.
 */
export function requestContext(timeoutMs: number): RequestHandler {
  return (req, res, next) => {
    const requestId = req.headers['x-request-id']
    const callers = req.headers.traceparent
    const { span, traceparent } = startTrace(isUsable(callers, TRACEPARENT) ? callers : undefined, 'HTTP')
    const call = {
      requestId: isUsable(requestId, REQUEST_ID) ? requestId : newRequestId(),
      traceparent,
      deadline: databaseNow() + timeoutMs,
    }
    res.setHeader('X-Request-Id', call.requestId)
    if (span) {
      res.once('close', () => {
        const route = res.locals.route as Route | undefined
        span.updateName(route ? `${route.method} ${route.path}` : 'HTTP')
        span.setAttributes({
          'http.response.status_code': res.statusCode,
          'cofre.request_id': call.requestId,
          'cofre.seller_id': Number(res.locals.sellerId ?? 0),
        })
        span.end()
      })
    }
    runCall(call, next)
  }
}

function isUsable(header: string | string[] | undefined, form: RegExp): header is string {
  return typeof header === 'string' && form.test(header) && !holdsCardNumber(header)
}
