import { answerMark, answerOf } from '@cofre/platform/idempotency/mark'
import type { Db } from '@cofre/platform/postgres/postgres'
import { InvoiceCharge } from '@cofre/proto/invoices/v1/invoices'
import type { PaymentRules } from '../deps'
import { endDunning } from '../dunning/end-dunning'
import { endsCharging, followAttempt, type Ended } from '../dunning/follow-attempt'
import { settle, type CardOutcome, type Moment, type Settlement } from '../invoice/card-payment'
import type { Transaction, WholeInvoice } from '../invoice/invoice'
import { refund, tellPaymentFailed } from '../invoice/transition'
import { chargeMessage } from '../invoice-store/invoice-message'
import { lockInvoice, saveLocked } from '../invoice-store/invoice-store'
import { discardCard, keepCard } from '../payment-store/kept-card-store'
import {
  freeMark,
  readTransaction,
  saveTransaction,
  type TransactionKey,
} from '../payment-store/transaction-store'
import { settlePaid } from './settle-paid'

/** When an automatic charge is tried again. */
type Rules = Pick<PaymentRules, 'dunningDays'>

/** An attempt to pay as saved, and the answer to its caller. */
export type Recorded = { transaction: Transaction; answer: InvoiceCharge }

/**
 * Saves an outcome of the orders service in the caller's transaction: invoice, charge, attempt, events, receipt, the
 * card that is kept and the request's mark. An attempt that was settled meanwhile stays as it is, and so does a kept
 * answer.
 */
export async function recordOutcome(
  tx: Db,
  key: TransactionKey,
  outcome: CardOutcome,
  moment: Moment & Rules,
): Promise<Recorded> {
  const { sellerId, invoiceId: id } = key
  const invoice = await lockInvoice(tx, { sellerId, id })
  const before = await readTransaction(tx, key)
  const settlement = settle(invoice, before, outcome, moment)
  const ended = { outcome, wasHeld: before.giveBack }
  const saved = settlement ? await save(tx, invoice, settlement, ended, moment) : invoice
  const answer = chargeOf(saved)
  const { operationId } = before
  const kept = operationId && moment.isAnswered ? await answerOf(tx, operationId) : undefined
  if (kept) return { transaction: before, answer: InvoiceCharge.decode(kept) }
  if (operationId && settlement?.mark === 'answered') {
    await answerMark(tx, operationId, InvoiceCharge.encode(answer).finish())
  }
  if (operationId && settlement?.mark === 'freed') await freeMark(tx, operationId)
  return { transaction: settlement?.transaction ?? before, answer }
}

async function save(
  tx: Db,
  invoice: WholeInvoice,
  { transaction, effect }: Settlement,
  ended: Omit<Ended, 'transaction'>,
  { at, dunningDays }: Moment & Rules,
): Promise<WholeInvoice> {
  if (effect.is === 'paid') {
    const { payable: amount } = transaction
    const paid = await settlePaid(tx, invoice, { method: 'CREDIT_CARD', amount, at, transaction })
    if (transaction.keepCardId !== null) await keepCard(tx, invoice, transaction)
    return paid
  }
  const changed = await saveTransaction(tx, invoice, await withoutCard(tx, transaction))
  const saved = await followAttempt(tx, changed, { ...ended, transaction }, { at, dunningDays })
  const isTold = effect.is === 'failed' || endsCharging(changed, saved)
  if (isTold) return endDunning(tx, await saveLocked(tx, tellPaymentFailed(saved, at)), at)
  if (effect.is === 'refunded') return saveLocked(tx, refund(saved, effect.amount, at))
  return endDunning(tx, saved, at)
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
