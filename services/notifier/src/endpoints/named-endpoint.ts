import { DomainError } from '@cofre/platform/errors'
import type { Db } from '@cofre/platform/postgres/postgres'
import type { Endpoint } from './endpoint'
import { lockEndpoint } from './endpoint-store'

/** Locks the endpoint that a request names. Throws FAILED_PRECONDITION REFERENCE_NOT_FOUND when the seller has no such one. */
export async function lockNamed(tx: Db, sellerId: number, endpointId: number): Promise<Endpoint> {
  try {
    return await lockEndpoint(tx, sellerId, endpointId)
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'not_found') throw error
    throw notNamed('does not exist for this seller')
  }
}

/** The refusal of the endpoint that a request names. */
export function notNamed(detail: string): DomainError {
  const errors = [{ pointer: '#/endpointId', code: 'UNKNOWN', detail }]
  const message = 'The request names an endpoint that does not exist or cannot get this event.'
  return new DomainError('failed_precondition', 'REFERENCE_NOT_FOUND', message, { errors })
}
