import { tellSome } from '@cofre/platform/telemetry/bounded-log'
import { count, recordDuration } from '@cofre/platform/telemetry/metrics'
import type { Logger } from '@cofre/platform/telemetry/log'
import type { RequestHandler } from 'express'
import type { Route } from './route'

/**
 * Logs one line for each request: its operation, its outcome, its duration. Never a path: it may hold anything.
 * Requests without a good token or password are logged with their address, and counted.
 */
export function logRequests(log: Logger): RequestHandler {
  const tell = tellSome((details) => log.warn(details, 'not authenticated'))
  return (req, res, next) => {
    const began = performance.now()
    res.once('finish', () => {
      const route = res.locals.route as Route | undefined
      if (route?.uncounted && res.statusCode < 400) return
      const operation = route?.operationId ?? 'none'
      const ms = Math.round(performance.now() - began)
      recordDuration('http_server_request_duration_seconds', 'How long requests took.', ms, {
        operation,
        method: req.method,
        status: res.statusCode,
      })
      const sellerId = res.locals.sellerId as number | undefined
      log.info({ method: req.method, operation, sellerId, status: res.statusCode, ms }, 'answered')
      if (res.statusCode === 401) {
        const { code: reason } = (res.locals.answer ?? {}) as { code?: string }
        count('http_unauthenticated', 'Requests that were answered 401.', { operation })
        tell({ address: req.ip, method: req.method, operation, reason })
      }
    })
    next()
  }
}
