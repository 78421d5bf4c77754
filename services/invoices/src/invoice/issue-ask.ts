import type { DomainError } from '@cofre/platform/errors'
import { answerMark, insertMark, newMark, type Mark } from '@cofre/platform/idempotency/mark'
import { deadlineOf } from '@cofre/platform/operation/terms'
import { withTransaction, type Db, type Pool } from '@cofre/platform/postgres/postgres'
import { now } from '../clock/billing-clock'
import type { NotSent, Unknown } from '../methods/bank-answer'
import type { RegisteredAsk } from '../methods/rules/registered-ask'
import type { AskStore } from '../methods/store/ask-store'
import { decideAsk } from './rules/ask-decision'
import type { WholeInvoice } from './rules/invoice'
import { lockInvoice } from './store/invoice-store'

type InvoiceKey = { sellerId: number; invoiceId: number }

/** Where and by when an ask is registered, and when the bank is asked about it. */
export type Dispatch = Pick<RegisteredAsk, 'account' | 'dispatchDeadline' | 'askAt'> & { at: number }

/** The dispatch of an ask that is made at a moment (epoch milliseconds) and leaves within `withinMs`. */
export function dispatchOf(
  { resolveFirstMs }: { resolveFirstMs: number },
  account: string,
  withinMs: number,
  at: number,
): Dispatch {
  return { account, dispatchDeadline: deadlineOf(withinMs), askAt: at + resolveFirstMs, at }
}

/** How a registration ended. */
export type Registered<A> = {
  ask: A
  outcome: { result: 'registered' | 'refused' | 'duplicate' | 'foreign' } | NotSent | Unknown
}

/** The asks of one method, and how one is made. */
export type Issuing<A extends RegisteredAsk> = {
  store: Pick<AskStore<A>, 'lockOpen' | 'save'>
  rules: { bankTimeoutMs: number; resolveFirstMs: number }
  /** The seller's account at the bank. Undefined when it has none. */
  account: string | undefined
  /** Saves the new ask of an invoice as it is before the bank is called. */
  insert(tx: Db, payable: WholeInvoice, dispatch: Dispatch & Pick<A, 'operationId'>): Promise<A>
  /** Has the bank register it, and saves the outcome. */
  register(ask: A): Promise<Registered<A>>
  refusals: { noAccount(): DomainError; refused(): DomainError; notReached(): DomainError }
  /** The answer with an ask that is open already, as it is kept for the request's key. */
  answerOf(open: A): Uint8Array
}

/** An ask and whether it is an earlier one, or the answer that is kept for the request's key. */
type Issued<A> = { ask: A; existing: boolean } | { kept: Uint8Array }

/**
 * Saves the intention, has the bank register the ask, saves the answer: no network call is inside a transaction. A draft
 * is finalized with the bank's answer: an ask that the bank refuses leaves it a draft.
 */
export async function issueAsk<A extends RegisteredAsk>(
  pool: Pool,
  key: InvoiceKey,
  issuing: Issuing<A>,
  mark: Mark = newMark(key.sellerId),
): Promise<Issued<A>> {
  const begun = await withTransaction(pool, async (tx) => {
    const kept = await insertMark(tx, mark)
    if (kept) return { kept }
    const issued = await begin(tx, key, issuing, mark.key ? mark.operationId : null)
    if (issued.existing && mark.key) await answerMark(tx, mark.operationId, issuing.answerOf(issued.ask))
    return issued
  })
  if ('kept' in begun || begun.existing) return begun
  const { ask, outcome } = await issuing.register(begun.ask)
  if (outcome.result === 'refused') throw issuing.refusals.refused()
  if (outcome.result === 'not_sent') throw notSent(outcome, issuing)
  return { ask, existing: false }
}

/** Returns the open ask of the invoice, or a new one to be registered. */
async function begin<A extends RegisteredAsk>(
  tx: Db,
  { sellerId, invoiceId }: InvoiceKey,
  { store, rules, account, insert, refusals }: Issuing<A>,
  operationId: A['operationId'],
): Promise<{ ask: A; existing: boolean }> {
  const invoice = await lockInvoice(tx, { sellerId, id: invoiceId })
  const at = now()
  const open = await store.lockOpen(tx, [invoiceId])
  const decision = decideAsk(invoice, open.get(invoiceId), at)
  if ('open' in decision) return { ask: decision.open, existing: true }
  if (decision.old) await store.save(tx, decision.old)
  if (account === undefined) throw refusals.noAccount()
  const dispatch = dispatchOf(rules, account, rules.bankTimeoutMs, at)
  return { ask: await insert(tx, decision.payable, { ...dispatch, operationId }), existing: false }
}

function notSent(
  outcome: { refusal?: DomainError },
  { refusals }: Pick<Issuing<RegisteredAsk>, 'refusals'>,
): DomainError {
  if (outcome.refusal?.reason === 'NO_ESTABLISHMENT') return refusals.noAccount()
  return outcome.refusal ?? refusals.notReached()
}
