import { currentCall } from '@cofre/platform/grpc/call-context'
import type { HistoryRecorder } from '@cofre/platform/history/history-recorder'
import type { RequestHandler, Response } from 'express'
import { instanceOf } from '../http/problem'
import { requestEntry, type EndedRequest } from './request-entry'

/** The facts that a request leaves in `res.locals` for the history. */
type Left = Pick<EndedRequest, 'route' | 'tokenId' | 'body' | 'answer'> & { sellerId?: number }

/**
 * Records each request of the API once it has ended, behind its answer. It leaves out health checks and requests of
 * unknown callers: no seller could read those, and anyone could fill everybody's history.
 */
export function recordRequests(recorder: HistoryRecorder, words: ReadonlySet<string>): RequestHandler {
  return (req, res, next) => {
    const call = currentCall()
    const began = performance.now()
    const at = Date.now()
    // Express changes these while it routes a request.
    const { method, path, ip: address = '' } = req
    res.once('close', () => {
      const { sellerId = 0, ...left } = res.locals as Left
      if (!call || left.route?.uncounted || sellerId === 0) return
      const durationMs = Math.round(performance.now() - began)
      const { requestId, traceparent } = call
      const made = { at, durationMs, requestId, traceparent, method, address, sellerId }
      recorder.record(
        requestEntry({ ...made, ...left, path: instanceOf(path, words), status: statusOf(res) }),
      )
    })
    next()
  }
}

function statusOf(res: Response): number | undefined {
  return res.writableFinished ? res.statusCode : undefined
}
