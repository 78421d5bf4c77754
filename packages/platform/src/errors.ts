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

/** One fault of a request body: its place (a whole JSON pointer, `#/payments/0/amount`), its rule, and a sentence. */
export type FieldError = { pointer: string; code: string; detail: string }

/** Facts for the caller beside the reason. `members` stand at the top of the HTTP problem body. */
export type ErrorExtra = {
  errors?: FieldError[]
  members?: Record<string, unknown>
  retryAfterSeconds?: number
}

/**
 * The only error that keeps its meaning across a service boundary. The gRPC status carries `kind`; a trailer carries
 * `reason` and the extra. Sellers read `message`, so it never holds card data, internals or the refused value.
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

/** The error for a dependency that does not answer. Nothing was done, and the caller may try again. */
export function unavailable(message: string, retryAfterSeconds = 1): DomainError {
  return new DomainError('unavailable', 'SERVICE_UNAVAILABLE', message, { retryAfterSeconds })
}

/** The error for a dependency that stopped answering after it may have acted. Only its own state shows the outcome. */
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
