import type { Replayable } from '../grpc/replayable'
import { withTransaction, type Pool, type PoolClient } from '../postgres/postgres'
import { answerMark, insertMark, newMark } from './mark'

/** The proto codec of an answer. */
export type Codec<Response> = {
  encode(response: Response): { finish(): Uint8Array }
  decode(bytes: Uint8Array): Response
}

/**
 * Runs `effect` once for each Idempotency-Key: effect, mark and answer commit together. An operation that calls a
 * partner in between saves its mark with its intention (mark.ts), and the answer with its outcome.
 */
export async function withIdempotency<Response>(
  pool: Pool,
  sellerId: number,
  message: Codec<Response>,
  effect: (tx: PoolClient) => Promise<Response>,
): Promise<Replayable<Response>> {
  const mark = newMark(sellerId)
  return withTransaction(pool, async (tx) => {
    const kept = await insertMark(tx, mark)
    if (kept) return { response: message.decode(kept), replayed: true }
    const response = await effect(tx)
    if (mark.key) await answerMark(tx, mark.operationId, message.encode(response).finish())
    return { response, replayed: false }
  })
}
