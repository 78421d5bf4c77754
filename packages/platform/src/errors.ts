import type { Reason } from './reason'

/** Why a request failed, in terms its caller can act on. Any other error is a bug. */
export type ErrorKind =
  | 'invalid_argument'
  | 'unauthenticated'
  | 'permission_denied'
  | 'not_found'
  | 'conflict'
  | 'failed_precondition'
  | 'rate_limited'
  | 'unavailable'

/** One fault of a request body: where (a whole JSON pointer, `#/payments/0/amount`), which rule, in words. */
export type FieldError = { pointer: string; code: string; detail: string }

/** What a caller may want beside the reason. `members` stand at the top of the HTTP problem body. */
export type ErrorExtra = {
  errors?: FieldError[]
  members?: Record<string, unknown>
  retryAfterSeconds?: number
}

/**
 * The only error that crosses a service boundary with its meaning intact: the gRPC status carries `kind`, a
 * trailer carries `reason` and the extra. `message`
 * is shown to sellers, so it never holds card data, internals or the value that was refused.
 */
export class DomainError extends Error {
  override name = 'DomainError'

  constructor(
    readonly kind: ErrorKind,
    readonly reason: Reason,
    message: string,
    readonly extra: ErrorExtra = {},
  ) {
    super(message)
  }
}

/** A dependency does not answer, and nothing was done; the caller may try again. */
export function unavailable(message: string, retryAfterSeconds = 1): DomainError {
  return new DomainError('unavailable', 'SERVICE_UNAVAILABLE', message, { retryAfterSeconds })
}

/** A dependency stopped answering after something may have been done: only its own state tells. */
export function outcomeUnknown(): DomainError {
  return new DomainError(
    'unavailable',
    'OUTCOME_UNKNOWN',
    'The answer was lost after something may have been done.',
  )
}

export function notFound(message = 'There is no such resource.'): DomainError {
  return new DomainError('not_found', 'NOT_FOUND', message)
}
