import express, { type ErrorRequestHandler, type Request, type RequestHandler, Router } from 'express'
import type { ZodType } from 'zod'
import type { CallKind, Faults } from '../faults'
import { type Answer, withFaults } from '../partner-call'
import { bodyErrorStatus, reportBug } from '../problem'
import { IssuerRefusal } from './issuer-refusal'

const BODY_MAX = '64kb'

/** Returns the body of an issuer's refusal, in its own words. */
export type Words = (refusal: IssuerRefusal) => object

type Call = (request: Request) => Answer | Promise<Answer>
export type Answering = (kind: CallKind, call: Call) => RequestHandler

/** Returns the maker of one issuer's handlers, which apply the fault that is due. */
export function answering(faults: Faults, words: Words): Answering {
  // One listener serves changes and queries, so it refuses connections only when both must fail.
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

/** Reads a body. Throws a refusal that names the first field at fault, such as `card.number`. */
export function readBody<T>(schema: ZodType<T>, body: unknown): T {
  const { success, data, error } = schema.safeParse(body)
  if (success) return data
  throw new IssuerRefusal('INVALID', error.issues[0]?.path.join('.') || 'body')
}

export function issuerRouter(): Router {
  return Router().use(express.json({ type: () => true, limit: BODY_MAX }))
}

/** Returns the error handler that ends an issuer's routes. */
export function sendFailure(words: Words): ErrorRequestHandler {
  return (error: unknown, _request, response, _next) => {
    const status = bodyErrorStatus(error)
    if (!status) reportBug(error)
    if (status) response.status(status).json(words(new IssuerRefusal('INVALID', 'body')))
    else response.status(500).end()
  }
}
