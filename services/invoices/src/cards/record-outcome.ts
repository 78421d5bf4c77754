import { answerOf, answerOnce } from '@cofre/platform/idempotency/mark'
import type { Db } from '@cofre/platform/postgres/postgres'
import { InvoiceCharge } from '@cofre/proto/invoices/v1/invoices'
import { resolveOutcome, type CardOutcome, type Moment, type Resolved } from './rules/card-payment'
import type { Transaction, WholeInvoice } from '../invoice/rules/invoice'
import { giveBack, type GoneBack } from '../invoice/rules/money'
import { chargeMessage } from '../invoice/store/invoice-message'
import { makePayable } from '../invoice/make-payable'
import { givenBack, queueEmail } from '../letters/queue/queue-email'
import { lockInvoice, saveLocked, type Saving } from '../invoice/store/invoice-store'
import { discardCard, keepCard } from './store/kept-card-store'
import {
  freeMark,
  readTransaction,
  saveTransaction,
  type TransactionKey,
} from '../invoice/store/transaction-store'
import { readHeld } from '../money/movement-store'
import { recordPaid } from '../money/record-paid'

/**
 * An attempt whose outcome brought no money. `wasHeld`: money that the acquirer held for it was given back. `isNotified`: the
 * seller is notified that it failed.
 */
export type EndedAttempt = {
  transaction: Transaction
  outcome: CardOutcome
  wasHeld: boolean
  isNotified: boolean
}

/** Decides what follows from an attempt, in the transaction that saves it. Returns the invoice. */
export type AfterAttempt = (
  tx: Db,
  invoice: WholeInvoice,
  ended: EndedAttempt,
  at: number,
) => Promise<WholeInvoice>

/** Decides what follows from a card that a customer keeps from now on, in the transaction that keeps it. */
export type AfterKept = (
  tx: Db,
  kept: { sellerId: number; customerId: number; cardId: number; at: number },
) => Promise<void>

export type Recording = Saving & { afterAttempt: AfterAttempt; afterKept: AfterKept }

/** An attempt to pay as saved, and the answer to its caller. */
export type Recorded = { transaction: Transaction; answer: InvoiceCharge }

/**
 * Saves an outcome of the orders service in the caller's transaction: invoice, charge, attempt, events, receipt, the
 * card that is kept and the request's mark. The invoice of the attempt is finalized first if it is still a draft. An
 * attempt that was resolved meanwhile stays as it is, and so does a kept answer.
 */
export async function recordOutcome(
  deps: Recording,
  tx: Db,
  key: TransactionKey,
  outcome: CardOutcome,
  moment: Moment,
): Promise<Recorded> {
  const { sellerId, invoiceId: id } = key
  const locked = await lockInvoice(tx, { sellerId, id })
  const { invoice, transaction: before } = await withCharge(
    deps,
    tx,
    locked,
    locked.transactions.find(({ id: each }) => each === key.id) ?? (await readTransaction(tx, key)),
    moment.at,
  )
  const resolved = resolveOutcome(invoice, before, outcome, moment)
  const ended = { outcome, wasHeld: before.giveBack }
  const saved = resolved ? await save(deps, tx, invoice, resolved, { ended, at: moment.at }) : invoice
  const answer = chargeOf(saved)
  const { operationId } = before
  const kept = operationId && (await keepAnswer(tx, operationId, answer, { resolved, moment }))
  if (kept) return { transaction: before, answer: InvoiceCharge.decode(kept) }
  if (operationId && resolved?.mark === 'freed') await freeMark(tx, operationId)
  return { transaction: resolved?.transaction ?? before, answer }
}

/** Keeps the answer of an attempt that has its outcome. Returns the one that was kept before, for a caller who waits. */
async function keepAnswer(
  tx: Db,
  operationId: string,
  answer: InvoiceCharge,
  { resolved, moment }: { resolved: Resolved | undefined; moment: Moment },
): Promise<Uint8Array | undefined> {
  const kept =
    resolved?.mark === 'answered'
      ? await answerOnce(tx, operationId, InvoiceCharge.encode(answer).finish())
      : moment.isAnswered && (await answerOf(tx, operationId))
  return moment.isAnswered && kept ? kept : undefined
}

/** Gives an attempt to pay a draft the charge of its invoice, which is finalized unless another payment has done it. */
async function withCharge(
  deps: Saving,
  tx: Db,
  locked: WholeInvoice,
  transaction: Transaction,
  at: number,
): Promise<{ invoice: WholeInvoice; transaction: Transaction }> {
  if (transaction.chargeId !== null) return { invoice: locked, transaction }
  const payable = locked.charge ? locked : await makePayable(deps, tx, locked, at)
  const charged = { ...transaction, chargeId: payable.charge?.id ?? null }
  return { invoice: await saveTransaction(tx, payable, charged), transaction: charged }
}

async function save(
  deps: Recording,
  tx: Db,
  invoice: WholeInvoice,
  { transaction, effect }: Resolved,
  { ended, at }: { ended: Pick<EndedAttempt, 'outcome' | 'wasHeld'>; at: number },
): Promise<WholeInvoice> {
  if (effect.is === 'paid') {
    const { payable: amount, amount: gross, createdAt: asOf } = transaction
    const card = 'card' in ended.outcome ? ended.outcome.card : null
    // The payer was asked for this amount: the invoice asks for no more.
    const asked = { amount, fee: gross - amount, asOf, rest: 'NOT_ASKED' } as const
    const source = { card }
    const paid = await recordPaid(deps, tx, invoice, {
      method: 'CREDIT_CARD',
      ...asked,
      at,
      transaction,
      source,
    })
    const { keepCardId: cardId } = transaction
    if (cardId !== null) {
      await keepCard(tx, invoice, transaction)
      await deps.afterKept(tx, { sellerId: invoice.sellerId, customerId: invoice.customer.id, cardId, at })
    }
    return paid
  }
  const changed = await saveTransaction(tx, invoice, await withoutCard(tx, transaction))
  // Where the invoice still waits for its payment, the payer hears of that.
  const isInVain = effect.is === 'none' && transaction.failure === 'GIVEN_BACK'
  if (isInVain) await queueEmail(tx, changed, givenBack(transaction.id))
  if (effect.is === 'refunded')
    return saveLocked(
      deps,
      tx,
      giveBack(changed, refundOf(transaction, effect, at), await readHeld(tx, changed.id)),
    )
  return deps.afterAttempt(tx, changed, { ...ended, transaction, isNotified: effect.is === 'failed' }, at)
}

function refundOf(
  { id: transactionId, orderChargeId: chargeId }: Transaction,
  { amount, fee }: { amount: number; fee: number },
  at: number,
): GoneBack {
  const source = { transactionId, chargeId }
  return { kind: 'REFUND', method: 'CREDIT_CARD', amount, fee, goneAt: at, at, source }
}

/** Discards the card that was stored for a failed payment. Nobody keeps it, even if its money turns up late. */
async function withoutCard(tx: Db, transaction: Transaction): Promise<Transaction> {
  const { sellerId, status, keepCardId, keepCardIsOurs } = transaction
  if (status !== 'FAILED' || keepCardId === null || !keepCardIsOurs) return transaction
  await discardCard(tx, { sellerId, cardId: keepCardId })
  return { ...transaction, keepCardId: null, keepCardIsOurs: false }
}

function chargeOf({ charge, transactions }: WholeInvoice): InvoiceCharge {
  if (!charge) throw new Error('an invoice that somebody pays has no charge')
  return chargeMessage(charge, transactions)
}
