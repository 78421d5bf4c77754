import type { DomainError } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { answerMark, insertMark, newMark, type Mark } from '@cofre/platform/idempotency/mark'
import { withTransaction, type PoolClient } from '@cofre/platform/postgres/postgres'
import { IssueBoletoResponse, type IssueBoletoRequest } from '@cofre/proto/invoices/v1/boletos'
import { now } from '../../clock/billing-clock'
import type { Registration } from '../../bank/bank'
import type { Boleto } from '../../boleto/boleto'
import { stillHolds } from '../../boleto/terms'
import { withdraw } from '../../boleto/transition'
import { bankNotReached, bankRefused, noAccount } from '../../boleto-settling/bank-refusals'
import { dispatchDeadline, newSlip } from '../../boleto-settling/new-slip'
import { register } from '../../boleto-settling/registration'
import { boletoMessage } from '../../boleto-store/boleto-message'
import { insertBoleto, lockOpenBoleto, saveBoleto } from '../../boleto-store/boleto-store'
import { findPayer } from '../../boleto-store/payer-store'
import type { Deps } from '../../deps'
import type { WholeInvoice } from '../../invoice/invoice'
import { canBePaid, isBeingPaid, paymentPending } from '../../invoice/transition'
import { lockInvoice } from '../../invoice-store/invoice-store'
import { makePayable } from '../../payments/settle-paid'

type Answer = Replayable<IssueBoletoResponse>

/** Saves the intention, has the bank register the slip, saves the answer: no network call is inside a transaction. */
export async function issueBoleto(deps: Deps, request: IssueBoletoRequest): Promise<Answer> {
  const { sellerId } = request
  const account = await deps.boletos.accounts.find(sellerId)
  const mark = newMark(sellerId)
  const begun = await withTransaction(deps.pool, (tx) => begin(deps, tx, { request, account, mark }))
  if ('response' in begun) return begun
  const { boleto, outcome } = await register(deps, begun)
  if (outcome.result === 'refused' || outcome.result === 'not_sent') throw notRegistered(outcome)
  return { response: { boleto: boletoMessage(boleto), existing: false }, replayed: false }
}

type Asked = { request: IssueBoletoRequest; account: string | undefined; mark: Mark }

/** Returns an answer that is known already, or a new slip to be registered. */
async function begin(
  deps: Deps,
  tx: PoolClient,
  { request: { sellerId, invoiceId }, account, mark }: Asked,
): Promise<Answer | Boleto> {
  const kept = await insertMark(tx, mark)
  if (kept) return { response: IssueBoletoResponse.decode(kept), replayed: true }
  const invoice = await lockInvoice(tx, { sellerId, id: invoiceId })
  const at = now()
  const open = await lockOpenBoleto(tx, invoiceId)
  if (open && canBePaid(invoice) && stillHolds(open, at)) {
    const response = { boleto: boletoMessage(open), existing: true }
    if (mark.key) await answerMark(tx, mark.operationId, IssueBoletoResponse.encode(response).finish())
    return { response, replayed: false }
  }
  if (isBeingPaid(invoice)) throw paymentPending()
  const payable = await makePayable(tx, invoice, at)
  if (open) await saveBoleto(tx, withdraw(open, at))
  if (account === undefined) throw noAccount()
  return insertSlip(deps, tx, { invoice: payable, account, mark, at })
}

async function insertSlip(
  { boletos: { rules } }: Deps,
  tx: PoolClient,
  { invoice, account, mark, at }: { invoice: WholeInvoice; account: string; mark: Mark; at: number },
): Promise<Boleto> {
  const slip = newSlip({
    invoice,
    account,
    payer: await findPayer(tx, invoice),
    dispatchDeadline: dispatchDeadline(rules.bankTimeoutMs),
    askAt: at + rules.settleFirstMs,
    at,
  })
  return insertBoleto(tx, { ...slip, operationId: mark.key ? mark.operationId : null })
}

function notRegistered(outcome: Registration): DomainError {
  if (outcome.result === 'refused') return bankRefused()
  const refusal = outcome.result === 'not_sent' ? outcome.refusal : undefined
  if (refusal?.reason === 'NO_ESTABLISHMENT') return noAccount()
  return refusal ?? bankNotReached()
}
