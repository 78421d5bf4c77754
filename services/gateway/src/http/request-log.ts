import { recordDuration } from '@cofre/platform/telemetry/metrics'
import type { Logger } from '@cofre/platform/telemetry/log'
import type { RequestHandler } from 'express'
import type { Route } from './route'

/** One line for each request: which operation, its outcome, how long. Never a path: it may hold anything. */
export function logRequests(log: Logger): RequestHandler {
  return (req, res, next) => {
    const began = performance.now()
    res.once('finish', () => {
      const route = res.locals.route as Route | undefined
      if (route?.uncounted && res.statusCode < 400) return
      const operation = route?.operationId ?? 'none'
      const ms = Math.round(performance.now() - began)
      recordDuration('http_server_request_duration_seconds', 'How long requests took to be answered.', ms, {
        operation,
        method: req.method,
        status: res.statusCode,
      })
      const sellerId = res.locals.sellerId as number | undefined
      log.info({ method: req.method, operation, sellerId, status: res.statusCode, ms }, 'answered')
    })
    next()
  }
}
