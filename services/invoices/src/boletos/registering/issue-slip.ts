import { issueAsk } from '../../invoice/issue-ask'
import type { Deps } from '../../deps'
import type { Boleto } from '../rules/boleto'
import { BOLETOS, insertBoleto } from '../store/boleto-store'
import { findPayer } from '../store/payer-store'
import { bankNotReached, bankRefused, noAccount } from './bank-refusals'
import { newSlip } from './new-slip'
import { register } from './registration'

/** Issues a slip for an invoice. `answerOf`: the answer with a slip that is open already, as it is kept for the key. */
export async function issueSlip(
  deps: Deps,
  key: { sellerId: number; invoiceId: number },
  answerOf: (open: Boleto) => Uint8Array,
) {
  const { accounts, rules } = deps.boletos
  return issueAsk<Boleto>(deps.pool, key, {
    store: BOLETOS,
    rules,
    account: await accounts.find(key.sellerId),
    insert: async (tx, payable, { operationId, ...dispatch }) => {
      const slip = newSlip(payable, await findPayer(tx, payable), dispatch)
      return insertBoleto(tx, { ...slip, operationId })
    },
    register: (boleto) => register(deps, boleto),
    refusals: { noAccount, refused: bankRefused, notReached: bankNotReached },
    answerOf,
  })
}
