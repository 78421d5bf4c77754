import { randomUUID } from 'node:crypto'
import { currentCall, type IdempotencyKey } from '../grpc/call-context'
import { DomainError } from '../errors'
import { withTransaction, type Db, type Pool, type PoolClient } from '../postgres/postgres'

/**
 * The mark of a repeated request commits with its effect. A service that works in one transaction uses
 * `withIdempotency`. One that calls a partner in between claims the mark with its intention (`claimRequest`, or
 * `claimSql` inside a larger statement) and completes it, by operation id, with the outcome.
 */
export type Claim = { sellerId: number; operationId: string; mark: IdempotencyKey | undefined }

export function newClaim(sellerId: number): Claim {
  return { sellerId, operationId: randomUUID(), mark: currentCall()?.idempotency }
}

/**
 * Inserts the mark given by `claimRow` at `parameter`, unless there is one or the request carries no key. `when`: a
 * condition that must hold too, such as `(SELECT admitted FROM verdict)`.
 */
export function claimSql(parameter: string, when = 'true'): string {
  return `INSERT INTO idempotency (seller_id, key, method, path, fingerprint, operation_id)
    SELECT seller_id, key, method, path, fingerprint, operation_id FROM jsonb_to_record(${parameter}::jsonb)
      AS m(seller_id bigint, key text, method text, path text, fingerprint text, operation_id uuid)
    WHERE key IS NOT NULL AND ${when}
    ON CONFLICT ON CONSTRAINT idempotency_scope DO NOTHING RETURNING operation_id`
}

/** The parameter for `claimSql`; an empty object when the request carries no key. */
export function claimRow({ sellerId, operationId, mark }: Claim): string {
  return JSON.stringify(mark ? { ...mark, seller_id: sellerId, operation_id: operationId } : {})
}

/** Completes a mark still in flight with the encoded answer. */
export async function completeRequest(db: Db, operationId: string, response: Uint8Array): Promise<void> {
  await db.query(
    `UPDATE idempotency SET response = $2, completed_at = now() WHERE operation_id = $1 AND response IS NULL`,
    [operationId, response],
  )
}

/** The answer kept for an operation; undefined when its request carried no key, or it is in flight. */
export async function answerOf(db: Db, operationId: string): Promise<Uint8Array | undefined> {
  const { rows } = await db.query('SELECT response FROM idempotency WHERE operation_id = $1', [operationId])
  return rows[0]?.response ?? undefined
}

/** Claims the mark within a transaction. When another request holds it: its kept answer, or the error to throw. */
export async function claimRequest(tx: PoolClient, claim: Claim): Promise<Uint8Array | undefined> {
  if (!claim.mark) return undefined
  const { rowCount } = await tx.query(claimSql('$1'), [claimRow(claim)])
  return rowCount === 1 ? undefined : keptAnswer(tx, claim)
}

/** The answer kept for a claim that lost: throws when the key is in use or was used for another body. */
export async function keptAnswer(db: Db, { sellerId, mark }: Claim): Promise<Uint8Array> {
  if (!mark) throw new Error('a request without a key has no kept answer')
  const { rows } = await db.query(
    `SELECT fingerprint, response FROM idempotency WHERE seller_id = $1 AND key = $2 AND method = $3 AND path = $4`,
    [sellerId, mark.key, mark.method, mark.path],
  )
  const kept = rows[0]
  if (kept && kept.fingerprint !== mark.fingerprint) {
    throw new DomainError(
      'failed_precondition',
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used for another body.',
    )
  }
  // No row: the holder gave the key back a moment ago; to the caller that is the same as still running.
  if (!kept?.response) {
    throw new DomainError(
      'conflict',
      'IDEMPOTENCY_KEY_IN_USE',
      'The first request with this key is still running.',
      {
        retryAfterSeconds: 1,
      },
    )
  }
  const call = currentCall()
  if (call) call.replayed = true
  return kept.response
}

/** Runs `work` once for each Idempotency-Key: effect, mark and kept answer commit together. */
export async function withIdempotency<Response>(
  pool: Pool,
  sellerId: number,
  message: { encode(response: Response): { finish(): Uint8Array }; decode(bytes: Uint8Array): Response },
  work: (tx: PoolClient) => Promise<Response>,
): Promise<Response> {
  const claim = newClaim(sellerId)
  return withTransaction(pool, async (tx) => {
    const kept = await claimRequest(tx, claim)
    if (kept) return message.decode(kept)
    const response = await work(tx)
    if (claim.mark) await completeRequest(tx, claim.operationId, message.encode(response).finish())
    return response
  })
}

/** Forgets marks older than 7 days. A mark in flight stays until its operation is settled. Returns how many. */
export async function forgetRequests(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM idempotency WHERE ctid IN (
       SELECT ctid FROM idempotency WHERE created_at < now() - interval '7 days' AND response IS NOT NULL LIMIT 1000)`,
  )
  return rowCount ?? 0
}
