import type { Replayable } from '@cofre/platform/grpc/replayable'
import type { Codec } from '@cofre/platform/idempotency/idempotency'
import { answerOf, insertMark, newMark } from '@cofre/platform/idempotency/mark'
import { withTransaction, type PoolClient } from '@cofre/platform/postgres/postgres'
import { databaseNow } from '@cofre/platform/service/database-clock'
import type { Deps } from '../../deps'
import type { PixRefund } from '../../pix/rules/pix-refund'
import { recordRefund } from './record-refund'

/**
 * Gives money back once for each key: saves the intention, calls the bank, saves the answer. A refund without an answer
 * is answered PENDING. `begin` saves the intention; `codec` is of the answer that `recordRefund` keeps.
 */
export async function refundOnce<Response>(
  deps: Deps,
  sellerId: number,
  codec: Codec<Response>,
  begin: (tx: PoolClient, operationId: string | null) => Promise<PixRefund>,
): Promise<Replayable<Response>> {
  const mark = newMark(sellerId)
  const begun = await withTransaction(deps.pool, async (tx) => {
    const kept = await insertMark(tx, mark)
    if (kept) return { kept }
    return { refund: await begin(tx, mark.key ? mark.operationId : null) }
  })
  if (begun.kept) return { response: codec.decode(begun.kept), replayed: true }
  const answer = await sendRefund(deps, begun.refund)
  // The sweeper may have come first: what it kept is the answer.
  const kept = mark.key && (await answerOf(deps.pool, mark.operationId))
  return { response: codec.decode(kept ?? answer), replayed: false }
}

/** Has the bank give money back, and saves its answer. Safe to repeat: the bank has one refund of a number. */
export async function sendRefund(
  deps: Pick<Deps, 'pool' | 'log' | 'pix' | 'afterSave'>,
  refund: PixRefund,
): Promise<Uint8Array> {
  const { bank, rules } = deps.pix
  const deadline = Math.min(databaseNow() + rules.bankTimeoutMs, refund.dispatchDeadline ?? Infinity)
  return recordRefund(deps, refund, await bank.giveBack(refund, deadline))
}
