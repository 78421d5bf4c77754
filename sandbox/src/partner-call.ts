import { setTimeout as delay } from 'node:timers/promises'
import type { Request, RequestHandler, Response } from 'express'
import type { CallKind, Fault, Faults, Partner } from './faults'

/** `lost`: all was done, and then the connection is cut. */
export type Answer = { status: number; body?: unknown; lost?: boolean }

/** `door`: the kind of call that the listener itself refuses while NOT_REACHED is due for it. */
export type PartnerCall = { faults: Faults; partner: Partner; kind: CallKind; door: CallKind }

/** Makes one call of a partner's API with the fault that is due. The call says all in its answer: it throws bugs only. */
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
    // The next call must come over a new connection, for that one to be refused.
    if (faults.peek(partner, door)?.kind === 'NOT_REACHED') response.set('Connection', 'close')
    send(response, answer)
  }
}

export async function faulted(
  fault: Fault | undefined,
  call: () => Answer | Promise<Answer>,
): Promise<Answer> {
  const nothing = { status: 500 }
  // NOT_REACHED comes this far only where the listener did not refuse the connection.
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
