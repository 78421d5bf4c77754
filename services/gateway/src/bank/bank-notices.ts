import { DomainError } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import type { Request, RequestHandler } from 'express'
import { sendAnswer } from '../http/answer'
import { countStranger } from '../http/authenticate'
import type { Deps } from '../deps'
import { readBody } from '../http/read-body'

export const BANK_NOTICES = '/partners/bank/events'

const MAX_NOTICE_BYTES = 8 * 1024
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
    if (Number(req.headers['content-length'] ?? 0) > MAX_NOTICE_BYTES) throw tooLarge()
    const body = await readBody(req, res)
    if (body.length > MAX_NOTICE_BYTES) throw tooLarge()
    res.once('close', deps.inFlight.enter({}))
    await callRpc(boletos, boletos.takeBankNotice, { body, headers })
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

function tooLarge(): DomainError {
  const message = `A notice has at most ${MAX_NOTICE_BYTES} bytes.`
  return new DomainError('invalid_argument', 'BODY_TOO_LARGE', message)
}
