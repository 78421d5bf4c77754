import { tellSome } from '@cofre/platform/telemetry/bounded-log'
import { count, recordDuration } from '@cofre/platform/telemetry/metrics'
import type { Logger } from '@cofre/platform/telemetry/log'
import type { RequestHandler } from 'express'
import type { Route } from './route'

/** The status of a request whose client left before its answer (nginx's word for it). Nobody is sent it. */
const CLIENT_LEFT = 499

/**
 * Logs one line for each request: its operation, its outcome, its duration. Never a path: it may hold anything.
 * A 503 or 504 names its code, and the service that did not answer. Requests without a good token or password are
 * logged with their address, and counted.
 */
export function logRequests(log: Logger): RequestHandler {
  const tell = tellSome((details) => log.warn(details, 'not authenticated'))
  return (req, res, next) => {
    const began = performance.now()
    // Every request ends by `close`, answered or not.
    res.once('close', () => {
      const route = res.locals.route as Route | undefined
      const status = res.writableFinished ? res.statusCode : CLIENT_LEFT
      if (route?.uncounted && status < 400) return
      const operation = route?.operationId ?? 'none'
      const ms = Math.round(performance.now() - began)
      recordDuration('http_server_request_duration_seconds', 'How long requests took.', ms, {
        operation,
        method: req.method,
        status,
      })
      const sellerId = res.locals.sellerId as number | undefined
      const { code: reason } = (res.locals.answer ?? {}) as { code?: string }
      const silent = status === 503 || status === 504 ? { code: reason, silent: res.locals.silent } : {}
      log.info({ method: req.method, operation, sellerId, status, ms, ...silent }, 'answered')
      if (status === 401) {
        count('http_unauthenticated', 'Requests that were answered 401.', { operation })
        tell({ address: req.ip, method: req.method, operation, reason })
      }
    })
    next()
  }
}
