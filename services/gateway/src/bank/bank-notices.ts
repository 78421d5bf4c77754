import { DomainError, type ErrorKind } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import type { Request, RequestHandler } from 'express'
import { sendAnswer } from '../http/answer'
import { countStranger, refuseCounted } from '../http/authenticate'
import type { Deps } from '../deps'
import { readBody } from '../http/read-body'

export const BANK_NOTICES = '/partners/bank/events'

const MAX_NOTICE_BYTES = 8 * 1024
/** The signature is not the bank's, or the bank is not listened to. */
const STRANGE = new Set<ErrorKind>(['unauthenticated', 'not_found'])
/** A notice was signed so long ago at most, or is ahead of our clock by so much (Standard Webhooks). */
const MAX_AGE_SECONDS = 300
/** What a signed header looks like; whether it is the bank's, the service says. */
const FORMS = {
  'webhook-id': /^[\x21-\x7e]{1,255}$/,
  'webhook-timestamp': /^\d{10}$/,
  'webhook-signature': /^v1,[A-Za-z0-9+/]{43}=(?: v1,[A-Za-z0-9+/]{43}=){0,3}$/,
}

/**
 * Passes on what the bank tells of money that came in, as it came: its bytes are what is signed, and the service that it is
 * for has the secret. No part of the integrators' API. Where the bank is not listened to: 404.
 */
export function takeBankNotice(deps: Deps): RequestHandler {
  const { boletos } = deps.services
  return async (req, res) => {
    const headers = readHeaders(req)
    // Who shows no signature, or an old one, is a stranger, counted as such; and a body that trickles in holds no place.
    if (!headers) {
      countStranger(deps, req, res)
      throw new DomainError('unauthenticated', 'TOKEN_INVALID', 'A notice is signed, and new.')
    }
    // Who forged one has been counted: it may ask again as seldom as any stranger.
    refuseCounted(deps, req)
    const body = await readBody(req, res, MAX_NOTICE_BYTES)
    res.once('close', deps.inFlight.enter({}))
    try {
      await callRpc(boletos, boletos.takeBankNotice, { body, headers })
    } catch (error) {
      if (error instanceof DomainError && STRANGE.has(error.kind)) countStranger(deps, req, res)
      throw error
    }
    sendAnswer(res, { status: 204 })
  }
}

/** The headers that prove a notice; undefined where one is not in its form, or the time is not about now. */
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
