import { DomainError, notFound, type ErrorKind } from '@cofre/platform/errors'
import type { Request, RequestHandler } from 'express'
import type { Deps } from '../deps'
import { sendAnswer } from '../http/answer'
import { countStranger, refuseCounted } from '../http/authenticate'
import { countRunning, untilClosed } from '../http/in-flight'
import { readBody } from '../http/read-body'

/** A push of a partner. The signature covers its bytes. */
export type SignedPush = { body: Buffer; headers: Record<string, string> }

const MAX_PUSH_BYTES = 8 * 1024
/** How far the signing time of a push may be from our clock, before or after (Standard Webhooks). */
const MAX_AGE_SECONDS = 300
/** The forms of signed headers. The service that has the secret decides whether they are the partner's. */
const FORMS = {
  'webhook-id': /^[\x21-\x7e]{1,255}$/,
  'webhook-timestamp': /^\d{10}$/,
  'webhook-signature': /^v1,[A-Za-z0-9+/]{43}=(?: v1,[A-Za-z0-9+/]{43}=){0,3}$/,
}
/** The signature is not the partner's, or nobody listens to that partner. */
const OF_STRANGERS = new Set<ErrorKind>(['unauthenticated', 'not_found'])

/** The service is asked at most this often whether it listens, however much strangers send. */
const ASK_EVERY_MS = 60_000
/** The interval after the service did not say whether it listens. */
const ASK_AGAIN_MS = 1_000

/**
 * Passes a partner's push unchanged to its service. Not part of the integrators' API. Where nobody listens to that
 * partner, the route does not exist. A push without a signature, or with an old or forged one, counts against the
 * address of its sender, as every stranger's request does.
 */
export function takeSignedPush(deps: Deps, pass: (push: SignedPush) => Promise<unknown>): RequestHandler {
  const isOff = rememberOff(pass)
  return async (req, res) => {
    // An address over its limit is refused before any service is asked.
    refuseCounted(deps, req)
    const headers = readHeaders(req)
    const refusal = (await isOff())
      ? notFound('There is no operation at this path. See /docs for all of them.')
      : new DomainError(
          'unauthenticated',
          'TOKEN_INVALID',
          'The push has no valid signature, or it is too old.',
        )
    if (!headers || refusal.kind === 'not_found') {
      countStranger(deps, req, res)
      throw refusal
    }
    countRunning(deps.inFlight, req, res)
    // Read before taking a place: a body that trickles in holds none.
    const body = await readBody(req, res, MAX_PUSH_BYTES)
    untilClosed(res, deps.inFlight.enter({}))
    try {
      await pass({ body, headers })
    } catch (error) {
      if (error instanceof DomainError && OF_STRANGERS.has(error.kind)) countStranger(deps, req, res)
      throw error
    }
    sendAnswer(res, { status: 204 })
  }
}

/** Asks with a push that is certainly refused: a listening service refuses it as unsigned, another as unknown. */
function rememberOff(pass: (push: SignedPush) => Promise<unknown>): () => Promise<boolean> {
  let until = -Infinity
  let known = Promise.resolve(false)
  const ask = async () => {
    const refusal = await pass({ body: Buffer.alloc(0), headers: {} }).catch((error: unknown) => error)
    const kind = refusal instanceof DomainError ? refusal.kind : undefined
    if (kind === undefined || !OF_STRANGERS.has(kind)) until = performance.now() + ASK_AGAIN_MS
    return kind === 'not_found'
  }
  return () => {
    if (performance.now() >= until) {
      until = performance.now() + ASK_EVERY_MS
      known = ask()
    }
    return known
  }
}

/** Returns the headers that prove a push; undefined when one is malformed, or the time is too far from now. */
function readHeaders(req: Request): Record<string, string> | undefined {
  const given = Object.entries(FORMS).map(([name, form]) => {
    const value = req.headers[name]
    return [name, typeof value === 'string' && form.test(value) ? value : undefined] as const
  })
  const headers = Object.fromEntries(given)
  const age = Math.abs(Date.now() / 1_000 - Number(headers['webhook-timestamp']))
  const isGood = given.every(([, value]) => value !== undefined) && age <= MAX_AGE_SECONDS
  return isGood ? (headers as Record<string, string>) : undefined
}
