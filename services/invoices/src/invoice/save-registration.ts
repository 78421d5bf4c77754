import { withTransaction } from '@cofre/platform/postgres/postgres'
import { tellViolation } from '@cofre/platform/telemetry/invariant'
import { now } from '../clock/billing-clock'
import type { Deps } from '../deps'
import {
  BANK_DISAGREES,
  recordAnswer,
  type AskAnswer,
  type RegisteredAsk,
} from '../methods/rules/registered-ask'
import type { AskStore } from '../methods/store/ask-store'
import { finalizeDraft } from './make-payable'

/**
 * Saves the bank's answer to a registration. An invoice that is still a draft is finalized with its ask, so that a
 * refused ask leaves it as it was. `what`: names the ask, for the log.
 */
export async function saveRegistration<A extends RegisteredAsk>(
  deps: Pick<Deps, 'pool' | 'log' | 'afterSave'>,
  { what, store }: { what: string; store: Pick<AskStore<A>, 'change'> },
  sent: A,
  answer: AskAnswer<A>,
): Promise<A> {
  const { pool, log } = deps
  const { result } = answer
  const at = now()
  const ask = await withTransaction(pool, async (tx) => {
    if (result !== 'refused' && result !== 'not_sent') await finalizeDraft(deps, tx, sent, at)
    return store.change(tx, sent.id, (current) => recordAnswer(current, answer, at))
  })
  const facts = { [`${what}Id`]: sent.id, result, status: ask.status }
  if (result !== 'refused') log.info(facts, `${what} sent`)
  else log.error({ ...facts, code: answer.code }, `the bank refused a ${what}`)
  if (result === 'refused' && answer.code === BANK_DISAGREES) {
    tellViolation(log, 'bank-agrees', { [`${what}Id`]: sent.id })
  }
  return ask
}
