import { setTimeout as delay } from 'node:timers/promises'
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import type { CallKind, Fault } from '../faults'
import { bodyErrorStatus, reportBug } from '../problem'
import type { Acquirer } from './acquirer'
import { Refusal } from './refusal'

/** `lost`: all was done, and then the connection is cut. */
export type Answer = { status: number; body?: unknown; lost?: boolean }

type Call = (merchantId: string, request: Request) => Answer

/** Makes one call of the acquirer's API: credentials first, then the call, with the fault that is due. */
export function answering(acquirer: Acquirer, kind: CallKind, call: Call): RequestHandler {
  return async (request, response) => {
    const { faults, merchants } = acquirer
    const fault = faults.take('ACQUIRER', kind)
    const answer = await faulted(fault, () =>
      answerOf(() => call(merchants.identify(request.headers), request)),
    )
    if (answer.lost) {
      request.socket.destroy()
      return
    }
    // The next call must come over a new connection, for that one to be refused.
    if (faults.peek('ACQUIRER', kind)?.kind === 'NOT_REACHED') response.set('Connection', 'close')
    send(response, answer)
  }
}

async function faulted(fault: Fault | undefined, call: () => Answer): Promise<Answer> {
  const nothing = { status: 500 }
  // NOT_REACHED comes this far only on a connection older than itself.
  if (fault?.kind === 'NOT_REACHED') return { ...nothing, lost: true }
  if (fault?.kind === 'HTTP_500') return nothing
  const answer = call()
  if (answer.lost || fault?.kind === 'ANSWER_LOST') return { ...answer, lost: true }
  if (fault?.kind === 'DONE_500') return nothing
  if (fault?.kind === 'SLOW') await delay(fault.delayMs, undefined, { ref: false })
  return answer
}

/** Cielo sends the caller's RequestId back; it deduplicates nothing. */
export const echoRequestId: RequestHandler = (request, response, next) => {
  const requestId = request.get('RequestId')
  if (requestId && requestId.length <= 64) response.set('RequestId', requestId)
  next()
}

export const wrongRoute: RequestHandler = (_request, response) => void response.status(404).end()

export function wrongMethod(allowed: string): RequestHandler {
  return (_request, response) => void response.status(405).set('Allow', allowed).end()
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

function answerOf(call: () => Answer): Answer {
  try {
    return call()
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, body: error.body }
    throw error
  }
}

function send(response: Response, { status, body }: Answer): void {
  response.status(status)
  if (body === undefined) response.end()
  else response.json(body)
}
