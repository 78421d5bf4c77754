import {
  IdempotencyService,
  RequestState,
  type FindRequestRequest,
  type KeptRequest,
} from '@cofre/proto/idempotency/v1/idempotency'
import { notFound } from '../errors'
import { serve, type ServedService } from '../grpc/server'
import type { Logger } from '../telemetry/log'
import type { Pool } from '../postgres/postgres'

/** The service through which the gateway finds what became of an Idempotency-Key; every owner of effects serves it. */
export function idempotencyService(log: Logger, pool: Pool): ServedService {
  return serve(
    log,
    IdempotencyService,
    { findRequest: ['gateway'] },
    {
      findRequest: (request: FindRequestRequest) => findRequest(pool, request),
    },
  )
}

async function findRequest(pool: Pool, { sellerId, key }: FindRequestRequest): Promise<KeptRequest> {
  const { rows } = await pool.query(
    `SELECT method, path, response, created_at AS "createdAt", completed_at AS "completedAt"
     FROM idempotency WHERE seller_id = $1 AND key = $2 ORDER BY created_at DESC LIMIT 1`,
    [sellerId, key],
  )
  const row = rows[0]
  if (!row) throw notFound('This key was not used in the last 7 days.')
  return {
    method: row.method,
    path: row.path,
    state: row.response ? RequestState.DONE : RequestState.IN_FLIGHT,
    response: row.response ?? Buffer.alloc(0),
    createdAt: row.createdAt.getTime(),
    completedAt: row.completedAt?.getTime(),
  }
}
