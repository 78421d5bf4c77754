import { Metadata, status, type ServiceError, type StatusObject } from '@grpc/grpc-js'
import { currentCall } from './call-context'
import { DomainError, outcomeUnknown, unavailable, type ErrorExtra, type ErrorKind } from '../errors'
import type { Reason } from '../reason'
import { isDatabaseDown } from '../postgres/postgres'

const GRPC_STATUS: Record<ErrorKind, status> = {
  invalid_argument: status.INVALID_ARGUMENT,
  unauthenticated: status.UNAUTHENTICATED,
  permission_denied: status.PERMISSION_DENIED,
  not_found: status.NOT_FOUND,
  conflict: status.ALREADY_EXISTS,
  failed_precondition: status.FAILED_PRECONDITION,
  rate_limited: status.RESOURCE_EXHAUSTED,
  unavailable: status.UNAVAILABLE,
}
const KIND = new Map(Object.entries(GRPC_STATUS).map(([kind, code]) => [code, kind as ErrorKind]))

/** Internal errors may quote SQL or card data, so only their status leaves the process. */
export function toStatus(error: unknown): Partial<StatusObject> {
  const known = isDatabaseDown(error) ? databaseDown() : error
  if (!(known instanceof DomainError)) return { code: status.INTERNAL, details: 'internal error' }
  const metadata = new Metadata()
  metadata.set('error-reason', known.reason)
  if (Object.keys(known.extra).length > 0) {
    metadata.set('error-extra-bin', Buffer.from(JSON.stringify(known.extra)))
  }
  return { code: GRPC_STATUS[known.kind], details: known.message, metadata }
}

function databaseDown(): DomainError {
  return currentCall()?.dispatch?.begun ? outcomeUnknown() : unavailable('The database does not answer.')
}

/**
 * The DomainError that the other service threw, or `unavailable` when it did not answer at all. Anything else is a
 * bug, ours or theirs. A refused certificate is one: it must not look to a seller like the seller's fault.
 */
export function fromStatus(error: ServiceError): Error {
  const reason = error.metadata?.get('error-reason')[0]
  const kind = KIND.get(error.code)
  if (kind && reason !== undefined) {
    const extra = error.metadata.get('error-extra-bin')[0]
    const parsed = extra instanceof Buffer ? (JSON.parse(extra.toString()) as ErrorExtra) : {}
    // A newer service may send a code that this program does not know: the caller gets it unchanged.
    return new DomainError(kind, String(reason) as Reason, error.details, parsed)
  }
  const silent = [status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED, status.RESOURCE_EXHAUSTED]
  return silent.includes(error.code)
    ? unavailable('A service that this request needs does not answer.')
    : error
}
