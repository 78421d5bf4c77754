import { setTimeout as delay } from 'node:timers/promises'
import type { Request, RequestHandler, Response } from 'express'
import type { CallKind, Fault, Faults, Partner } from './faults'

/** `lost`: the call is completed, and then the connection is cut. */
export type Answer = { status: number; body?: unknown; lost?: boolean }

/** `door`: the kind of call for which the listener itself refuses connections while NOT_REACHED is due. */
export type PartnerCall = { faults: Faults; partner: Partner; kind: CallKind; door: CallKind }

/** Handles one call of a partner's API with the fault that is due. A refusal is an answer: `call` throws bugs only. */
export function withFaults(
  { faults, partner, kind, door }: PartnerCall,
  call: (request: Request) => Answer | Promise<Answer>,
): RequestHandler {
  return async (request, response) => {
    const answer = await faulted(faults.take(partner, kind), () => call(request))
    if (answer.lost) {
      request.socket.destroy()
      return
    }
    // The next call must open a new connection, so that the listener can refuse it.
    if (faults.peek(partner, door)?.kind === 'NOT_REACHED') response.set('Connection', 'close')
    send(response, answer)
  }
}

export async function faulted(
  fault: Fault | undefined,
  call: () => Answer | Promise<Answer>,
): Promise<Answer> {
  const nothing = { status: 500 }
  // NOT_REACHED gets here only when the listener did not refuse the connection.
  if (fault?.kind === 'NOT_REACHED') return { ...nothing, lost: true }
  if (fault?.kind === 'HTTP_500') return nothing
  const answer = await call()
  if (answer.lost || fault?.kind === 'ANSWER_LOST') return { ...answer, lost: true }
  if (fault?.kind === 'DONE_500') return nothing
  if (fault?.kind === 'SLOW') await delay(fault.delayMs, undefined, { ref: false })
  return answer
}

function send(response: Response, { status, body }: Answer): void {
  response.status(status)
  if (body === undefined) response.end()
  else response.json(body)
}
