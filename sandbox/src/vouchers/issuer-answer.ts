import express, { type ErrorRequestHandler, type Request, type RequestHandler, Router } from 'express'
import type { ZodType } from 'zod'
import type { CallKind, Faults } from '../faults'
import { type Answer, withFaults } from '../partner-call'
import { bodyErrorStatus, reportBug } from '../problem'
import { IssuerRefusal } from './issuer-refusal'

const BODY_MAX = '64kb'

/** The body of an issuer's refusals, in its own words. */
export type Words = (refusal: IssuerRefusal) => object

type Call = (request: Request) => Answer | Promise<Answer>
export type Answering = (kind: CallKind, call: Call) => RequestHandler

/** Makes the calls of one issuer with the fault that is due. */
export function answering(faults: Faults, words: Words): Answering {
  // One listener takes both kinds of call, so it refuses connections only when both are to fail.
  return (kind, call) =>
    withFaults({ faults, partner: 'VOUCHER_ISSUER', kind, door: 'QUERY' }, async (request) => {
      try {
        return await call(request)
      } catch (error) {
        if (error instanceof IssuerRefusal) return { status: error.status, body: words(error) }
        throw error
      }
    })
}

/** Names the first field that is at fault: `card.number`. */
export function readBody<T>(schema: ZodType<T>, body: unknown): T {
  const { success, data, error } = schema.safeParse(body)
  if (success) return data
  throw new IssuerRefusal('INVALID', error.issues[0]?.path.join('.') || 'body')
}

export function issuerRouter(): Router {
  return Router().use(express.json({ type: () => true, limit: BODY_MAX }))
}

/** The last of an issuer's routes. */
export function sendFailure(words: Words): ErrorRequestHandler {
  return (error: unknown, _request, response, _next) => {
    const status = bodyErrorStatus(error)
    if (!status) reportBug(error)
    if (status) response.status(status).json(words(new IssuerRefusal('INVALID', 'body')))
    else response.status(500).end()
  }
}
