import type { RequestHandler } from 'express'
import type { Answer } from './partner-call'

/** A partner's refusal of a call: an error of its own, in its own words. */
type Refusal = Error & { status: number; body: unknown }

/** Returns the answer of a call that may be refused. Rethrows every other error. */
export function answerOf(Refusal: abstract new (...words: never[]) => Refusal, call: () => Answer): Answer {
  try {
    return call()
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, body: error.body }
    throw error
  }
}

export const wrongRoute: RequestHandler = (_request, response) => void response.status(404).end()

export function wrongMethod(allowed: string): RequestHandler {
  return (_request, response) => void response.status(405).set('Allow', allowed).end()
}
