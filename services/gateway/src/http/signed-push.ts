import { DomainError, notFound, type ErrorKind } from '@cofre/platform/errors'
import type { Request, RequestHandler } from 'express'
import type { Deps } from '../deps'
import { sendAnswer } from './answer'
import { countStranger, refuseCounted } from './authenticate'
import { countRunning, untilClosed } from './in-flight'
import { readBody } from './read-body'

/** What a partner pushed: its bytes are what is signed. */
export type SignedPush = { body: Buffer; headers: Record<string, string> }

const MAX_PUSH_BYTES = 8 * 1024
/** A push was signed so long ago at most, or is ahead of our clock by so much (Standard Webhooks). */
const MAX_AGE_SECONDS = 300
/** What a signed header looks like. Whether it is the partner's, the service that has the secret says. */
const FORMS = {
  'webhook-id': /^[\x21-\x7e]{1,255}$/,
  'webhook-timestamp': /^\d{10}$/,
  'webhook-signature': /^v1,[A-Za-z0-9+/]{43}=(?: v1,[A-Za-z0-9+/]{43}=){0,3}$/,
}
/** The signature is not the partner's, or nobody listens to that partner. */
const OF_STRANGERS = new Set<ErrorKind>(['unauthenticated', 'not_found'])

/** Whether anybody listens is asked of the service so often at most, whatever strangers send. */
const ASK_EVERY_MS = 60_000
/** Where the service did not say. */
const ASK_AGAIN_MS = 1_000

/**
 * Passes a partner's push on, as it came, to the service that it is for. No part of the integrators' API. Where nobody listens
 * to that partner there is no such route. A sender whose push has no signature, an old one or a forged one is counted by
 * its address, as every stranger is.
 */
export function takeSignedPush(deps: Deps, pass: (push: SignedPush) => Promise<unknown>): RequestHandler {
  const isOff = rememberOff(pass)
  return async (req, res) => {
    // An address that has been counted too often is refused before any service is asked.
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
    // Read before a place is taken: a body that trickles in holds none.
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

/** Asks with a push that is certainly refused: by a service that listens since it is not signed, by another as unknown. */
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

/** The headers that prove a push; undefined where one is not in its form, or the time is not about now. */
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
