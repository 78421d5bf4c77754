import { DomainError, type ErrorKind } from '@cofre/platform/errors'
import type { Request, RequestHandler } from 'express'
import type { Deps } from '../deps'
import { sendAnswer } from './answer'
import { countStranger, refuseCounted } from './authenticate'
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

/**
 * Passes a partner's push on, as it came, to the service that it is for. No part of the integrators' API. A sender whose push
 * has no signature, an old one or a forged one is counted by its address, as every stranger is.
 */
export function takeSignedPush(deps: Deps, pass: (push: SignedPush) => Promise<unknown>): RequestHandler {
  return async (req, res) => {
    const headers = readHeaders(req)
    if (!headers) {
      countStranger(deps, req, res)
      throw new DomainError('unauthenticated', 'TOKEN_INVALID', 'A push is signed, and new.')
    }
    // An address that has been counted too often is refused before any service is asked.
    refuseCounted(deps, req)
    // Read before a place is taken: a body that trickles in holds none.
    const body = await readBody(req, res, MAX_PUSH_BYTES)
    res.once('close', deps.inFlight.enter({}))
    try {
      await pass({ body, headers })
    } catch (error) {
      if (error instanceof DomainError && OF_STRANGERS.has(error.kind)) countStranger(deps, req, res)
      throw error
    }
    sendAnswer(res, { status: 204 })
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
