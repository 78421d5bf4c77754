import {
  IdempotencyService,
  RequestState,
  type FindRequestRequest,
  type KeptRequest,
} from '@cofre/proto/idempotency/v1/idempotency'
import { notFound } from '../errors'
import { currentCall } from '../grpc/call-context'
import { serve, type ServedService } from '../grpc/server'
import type { Caller } from '../service/services'
import type { Logger } from '../telemetry/log'
import type { Pool } from '../postgres/postgres'
import { fingerprintsOf, isSameBody } from './mark'

type Deps = { log: Logger; pool: Pool }

/**
 * The service that finds the outcome of an Idempotency-Key for the gateway, and for others of `callers`. Every owner of
 * effects serves it.
 */
export function idempotencyService(deps: Deps, callers: readonly Caller[] = ['gateway']): ServedService {
  return serve(deps, IdempotencyService, { findRequest: [callers, findRequest] })
}

async function findRequest({ pool }: Deps, { sellerId, key }: FindRequestRequest): Promise<KeptRequest> {
  const repeat = currentCall()?.idempotency
  const { rows } = await pool.query(
    `SELECT method, path, fingerprint, response, created_at AS "createdAt", completed_at AS "completedAt"
     FROM idempotency WHERE seller_id = $1 AND key = $2 AND method = coalesce($3, method)
       AND path = coalesce($4, path)
     ORDER BY fingerprint = ANY($5) DESC, created_at DESC LIMIT 1`,
    [sellerId, key, repeat?.method, repeat?.path, repeat ? fingerprintsOf(repeat) : []],
  )
  const row = rows[0]
  if (!row)
    throw notFound(
      'No answer is kept under this key: it was not used in the last 7 days, or its request was refused.',
    )
  return {
    method: row.method,
    path: row.path,
    state: row.response ? RequestState.DONE : RequestState.IN_FLIGHT,
    response: row.response ?? Buffer.alloc(0),
    createdAt: row.createdAt.getTime(),
    completedAt: row.completedAt?.getTime(),
    isRepeated: repeat?.key === key && isSameBody(row.fingerprint, repeat),
  }
}
