import { unavailable, type DomainError } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { newMark } from '@cofre/platform/idempotency/mark'
import type { Charge as ChargeMessage } from '@cofre/proto/orders/v1/orders'
import type { Charge, Terms } from '../charge/charge'
import { beginOperation, saveOutcome, type ChargeKey } from '../charge-store/charge-store'
import { termsFrom, type Deps } from '../deps'
import { answered, freed } from '../charge/operation-mark'
import { cameToNothing, recordOutcomes, type Outcomes } from '../charge/operation-outcome'
import { VOID_SPACING_MS } from '../charge/release'
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
  const terms = termsFrom(deps, operationId)
  const begun = await beginOperation(deps.pool, mark, key, (charge) => request(charge, terms))
  if ('replayed' in begun) return begun

  const asked = begun.charge.transactions.filter((one) => one.operationId === operationId)
  const outcomes = await sendTransactions(deps, begun.account, begun.charge, asked)
  const inVain = cameToNothing(outcomes)
  const marks = inVain ? freed(mark) : answered(mark)
  const { answer } = await saveOutcome(deps.pool, begun.charge, (current) => {
    return { ...recordOutcomes(current, outcomes, Date.now()), marks }
  })
  if (inVain) throw notDone(outcomes)
  return { response: answer, replayed: false }
}

function notDone(outcomes: Outcomes): DomainError {
  const busy = [...outcomes.values()].some(({ result }) => result === 'busy')
  return busy
    ? unavailable('The acquirer is still busy with this payment.', VOID_SPACING_MS / 1_000)
    : unavailable('The acquirer could not be reached; nothing was done.')
}
