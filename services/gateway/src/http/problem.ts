import { STATUS_CODES } from 'node:http'
import type { Problem } from '@cofre/api/problem'
import { currentCall } from '@cofre/platform/grpc/call-context'
import { silentRpc } from '@cofre/platform/grpc/client'
import { DomainError, unavailable, type ErrorKind } from '@cofre/platform/errors'
import type { Logger } from '@cofre/platform/telemetry/log'
import { isDatabaseDown } from '@cofre/platform/postgres/postgres'
import type { ErrorRequestHandler, Request } from 'express'
import { sendAnswer, type Answer } from './answer'
import { problemCode } from './problem-codes'

const HTTP_STATUS: Record<ErrorKind, number> = {
  invalid_argument: 400,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  conflict: 409,
  failed_precondition: 422,
  rate_limited: 429,
  unavailable: 503,
}

export type Place = { baseUrl: string; words: ReadonlySet<string> }

/** The last middleware: every error becomes an RFC 9457 problem. */
export function problems(place: Place, log: Logger): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    // The client went away while it sent its body: nobody waits for an answer.
    if (res.headersSent || req.socket.destroyed) {
      res.destroy()
      return
    }
    const known = asDomainError(error)
    if (!known) log.error({ err: error, method: req.method }, 'request failed')
    res.locals.silent = isDatabaseDown(error) ? 'database' : silentRpc(error)
    if (known?.reason === 'BODY_TOO_LARGE' && !req.complete) res.setHeader('Connection', 'close')
    sendAnswer(res, describeProblem(place, known, req), 'application/problem+json')
  }
}

function asDomainError(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error
  if (isDatabaseDown(error)) return unavailable('The database does not answer.')
  // Express could not decode the path: such a resource can't exist.
  if (error instanceof URIError)
    return new DomainError('not_found', 'NOT_FOUND', 'There is no such resource.')
  return undefined
}

function describeProblem(place: Place, error: DomainError | undefined, req: Request): Answer {
  const code = error?.reason ?? 'INTERNAL'
  const hasKey = req.headers['idempotency-key'] !== undefined
  const { status, title, retryable } = statusOf(error, hasKey || req.method === 'GET')
  const { errors, members, retryAfterSeconds } = error?.extra ?? {}
  const mayRepeat = retryable || retryAfterSeconds !== undefined
  const body: Problem = {
    type: `${place.baseUrl}/docs/errors#${code}`,
    title,
    status,
    ...(error ? { detail: detailOf(error, hasKey) } : {}),
    instance: instanceOf(req.path, place.words),
    code,
    requestId: currentCall()?.requestId ?? '',
    retryable: mayRepeat,
    ...(errors ? { errors } : {}),
    ...members,
  }
  const wait: Record<string, string> =
    [409, 429, 503].includes(status) || mayRepeat ? { 'Retry-After': String(retryAfterSeconds ?? 1) } : {}
  return { status, body, headers: wait }
}

/** Returns the message; for an unknown outcome, also how to learn it: by a repeat with the key, else by a look-up. */
function detailOf({ reason, message }: DomainError, hasKey: boolean): string {
  if (reason !== 'OUTCOME_UNKNOWN') return message
  const next = hasKey
    ? 'Repeat the request with the same Idempotency-Key.'
    : 'Before you send it again, look for what it would have made or changed: an order by its orderReference, a voucher payment by its referenceId, anything else in its list.'
  return `${message} ${next}`
}

/** `isRepeatable`: the request carries a key, or it only reads. */
function statusOf(error: DomainError | undefined, isRepeatable: boolean) {
  const entry = problemCode(error?.reason ?? 'INTERNAL')
  const byKind = error ? HTTP_STATUS[error.kind] : 500
  // 405, 413, 415 and 504 have no error kind of their own: they exist only in HTTP.
  const isOwn = error?.kind === 'invalid_argument' || error?.kind === 'unavailable'
  const status = isOwn ? (entry?.status ?? byKind) : byKind
  const retryable =
    entry?.retryable === true || status === 503 || (isRepeatable && (status === 500 || status === 504))
  return { status, title: entry?.title ?? STATUS_CODES[status] ?? 'Refused', retryable }
}

const ID = /^[1-9]\d{0,9}$/
const TOKEN = /^[0-9a-f]{64}$/

/** Keeps only our own words, ids and tokens in the path: a card number in a path must not come back. */
export function instanceOf(path: string, words: ReadonlySet<string>): string {
  const segments = path.split('/').map((segment) => {
    return segment === '' || words.has(segment) || ID.test(segment) || TOKEN.test(segment) ? segment : '_'
  })
  return segments.join('/')
}
