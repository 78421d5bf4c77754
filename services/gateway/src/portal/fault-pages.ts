import { currentCall } from '@cofre/platform/grpc/call-context'
import { DomainError, type ErrorKind } from '@cofre/platform/errors'
import { isDatabaseDown } from '@cofre/platform/postgres/postgres'
import type { ErrorRequestHandler, RequestHandler } from 'express'
import type { Portal } from './portal-context'
import { pageNotFound, PortalFault } from './portal-fault'

/** Answers every path that is no page. */
export const answerMissing: RequestHandler = () => {
  throw pageNotFound()
}

/** Shows faults that a person can act on. Any other error is logged, and the page shows only its request id. */
export function answerFault({ log, show }: Pick<Portal, 'log' | 'show'>): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    if (res.headersSent) return next(error)
    const fault = toFault(error)
    if (fault.status === 500) log.error({ err: error }, 'portal page failed')
    else log.info({ status: fault.status, title: fault.title }, 'portal page refused')
    if (fault.retryAfterSeconds !== undefined) res.set('Retry-After', String(fault.retryAfterSeconds))
    show(res, {
      view: 'fault',
      title: fault.title,
      status: fault.status,
      data: { message: fault.message, requestId: fault.status >= 500 ? currentCall()?.requestId : undefined },
    })
  }
}

/** The kinds of a refusal by a service. Its message is for people. */
const REFUSALS: ReadonlySet<ErrorKind> = new Set(['invalid_argument', 'failed_precondition', 'conflict'])

function toFault(error: unknown): PortalFault {
  if (error instanceof PortalFault) return error
  if (isDatabaseDown(error)) return notAnswering(1)
  if (
    error instanceof DomainError &&
    (error.kind === 'not_found' || error.reason === 'REFERENCE_NOT_FOUND')
  ) {
    return pageNotFound()
  }
  if (error instanceof DomainError && REFUSALS.has(error.kind)) {
    return new PortalFault(422, 'This is not possible', error.message)
  }
  if (error instanceof DomainError && error.kind === 'unavailable') {
    return notAnswering(error.extra.retryAfterSeconds ?? 1)
  }
  if (error instanceof DomainError && error.kind === 'rate_limited') {
    const seconds = error.extra.retryAfterSeconds ?? 1
    return new PortalFault(
      429,
      'Too many requests',
      'Too many requests came at once. Try again in a moment.',
      seconds,
    )
  }
  // The form parser gives a status to a body that is too large, cut off or no form.
  const status = statusOf(error)
  if (status !== undefined && status >= 400 && status < 500) {
    return new PortalFault(
      status,
      'We could not read this form',
      'It is too large or incomplete. Go back and send it again.',
    )
  }
  return new PortalFault(500, 'Something failed on our side', 'We recorded the error. Try again in a moment.')
}

function notAnswering(retryAfterSeconds: number): PortalFault {
  return new PortalFault(
    503,
    'This page cannot be shown right now',
    'A service that this page needs does not answer. Try again in a moment.',
    retryAfterSeconds,
  )
}

function statusOf(error: unknown): number | undefined {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined
  return typeof status === 'number' ? status : undefined
}
