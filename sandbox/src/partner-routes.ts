import type { RequestHandler } from 'express'
import type { Answer } from './partner-call'

/** What a partner refuses a call with: an error of its own, in its own words. */
type Refusal = Error & { status: number; body: unknown }

/** The answer of a call that may be refused. Throws what is no refusal of that partner. */
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
