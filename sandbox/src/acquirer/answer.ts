import type { ErrorRequestHandler, Request, RequestHandler } from 'express'
import type { CallKind } from '../faults'
import { type Answer, withFaults } from '../partner-call'
import { answerOf } from '../partner-routes'
import { bodyErrorStatus, reportBug } from '../problem'
import type { Acquirer } from './acquirer'
import { Refusal } from './refusal'

type Call = (merchantId: string, request: Request) => Answer

/** Handles one call of the acquirer's API, with the fault that is due: first the credentials, then the call. */
export function answering({ faults, merchants }: Acquirer, kind: CallKind, call: Call): RequestHandler {
  return withFaults({ faults, partner: 'ACQUIRER', kind, door: kind }, (request) =>
    answerOf(Refusal, () => call(merchants.identify(request.headers), request)),
  )
}

/** Sends the caller's RequestId back, as Cielo does; it deduplicates nothing. */
export const echoRequestId: RequestHandler = (request, response, next) => {
  const requestId = request.get('RequestId')
  if (requestId && requestId.length <= 64) response.set('RequestId', requestId)
  next()
}

export const sendFailure: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const status = bodyErrorStatus(error)
  if (status) {
    response.status(status).json(new Refusal(400, 184).body)
    return
  }
  reportBug(error)
  response.status(500).end()
}
