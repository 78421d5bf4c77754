import { unavailable } from '@cofre/platform/errors'
import type { Logger } from '@cofre/platform/telemetry/log'
import type { RequestHandler } from 'express'

const TICK_MS = 20
const TELL_EVERY_MS = 1_000
/** Health checks: without an answer, their callers would stop or start programs. */
const ALWAYS_ANSWERED = new Set(['/healthz', '/readyz'])

/**
 * Refuses, at the least cost, requests that have waited too long to be read. When more arrive than this process can
 * look at, its event loop falls behind: each request waits longer than the one before, until nobody waits any more.
 * `maxLagMs`: how far behind a turn of the loop may be.
 */
export function refuseLate(maxLagMs: number, log: Logger): RequestHandler {
  let turnedAt = performance.now()
  setInterval(() => (turnedAt = performance.now()), TICK_MS).unref()
  let refused = 0
  let toldAt = -Infinity
  return (req, _res, next) => {
    const lagMs = performance.now() - turnedAt - TICK_MS
    if (lagMs <= maxLagMs || ALWAYS_ANSWERED.has(req.path)) return next()
    refused += 1
    if (performance.now() - toldAt > TELL_EVERY_MS) {
      log.warn({ refused, lagMs: Math.round(lagMs) }, 'overloaded: refusing some requests')
      toldAt = performance.now()
      refused = 0
    }
    throw unavailable('Too many requests are waiting. Nothing was done.')
  }
}
