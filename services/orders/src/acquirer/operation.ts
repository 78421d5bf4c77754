import { databaseNow } from '@cofre/platform/service/database-clock'
import { unavailable, type DomainError } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { newMark } from '@cofre/platform/idempotency/mark'
import type { Charge as ChargeMessage } from '@cofre/proto/orders/v1/orders'
import type { Terms } from '@cofre/platform/operation/terms'
import type { Charge } from '../charge/charge'
import { beginOperation, saveOutcome, type ChargeKey } from '../charge-store/charge-store'
import { holderOf, termsFrom, type Deps } from '../deps'
import { answered, freed } from '../charge/operation-mark'
import { cameToNothing, recordOutcomes, type Outcomes } from '../charge/operation-outcome'
import { sendTransactions } from './send-transactions'
import type { Decision } from '../charge/transition'

/**
 * Runs a capture or refund: saves the intention with the Idempotency-Key's mark, calls the acquirer, saves its answer.
 * Throws UNAVAILABLE when the acquirer was not reached or was busy with the payment: repeating is safe.
 */
export async function runOperation(
  deps: Deps,
  key: ChargeKey,
  request: (charge: Charge, terms: Terms) => Decision,
): Promise<Replayable<ChargeMessage>> {
  const mark = newMark(key.sellerId)
  const { operationId } = mark
  // The wait for the charge counts: the caller's time runs.
  const at = databaseNow()
  const begun = await beginOperation(deps.pool, mark, key, (charge) =>
    request(charge, termsFrom(deps, charge.acquirer, operationId, at)),
  )
  if ('replayed' in begun) return begun

  const asked = begun.charge.transactions.filter((one) => one.operationId === operationId)
  const outcomes = await sendTransactions(deps, begun.account, begun.charge, asked)
  const { pauseMs } = holderOf(deps, begun.charge.acquirer).capabilities
  const inVain = cameToNothing(outcomes)
  const marks = inVain ? freed(mark) : answered(mark)
  const { answer } = await saveOutcome(deps.pool, begun.charge, (current) => {
    return { ...recordOutcomes(current, outcomes, databaseNow(), pauseMs), marks }
  })
  if (inVain) throw notDone(outcomes, pauseMs)
  return { response: answer, replayed: false }
}

function notDone(outcomes: Outcomes, pauseMs: number): DomainError {
  const why = [...outcomes.values()].flatMap((one) => (one.result === 'not_sent' && one.refusal) || [])
  // No repetition helps.
  const isFinal = why.find(({ reason }) => reason === 'REFUND_UNAVAILABLE')
  if (isFinal) return isFinal
  const busy = [...outcomes.values()].some(({ result }) => result === 'busy')
  return busy
    ? unavailable('The acquirer is still busy with this payment.', pauseMs / 1_000)
    : unavailable('The acquirer could not be reached; nothing was done.')
}
