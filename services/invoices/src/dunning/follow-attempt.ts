import type { Db } from '@cofre/platform/postgres/postgres'
import type { CardOutcome } from '../invoice/card-payment'
import type { Transaction, WholeInvoice } from '../invoice/invoice'
import {
  afterDecline,
  afterFailure,
  afterNothing,
  dueDayOf,
  stoppedForGood,
  type Dunning,
  type Terms,
} from './automatic-charge'
import { readDunning, saveDunning } from './automatic-charge-store'
import { cardDeclines } from './card-history-store'
import { mailDeclined } from './mail-declined'
import { nextAttempt } from './next-attempt'

/** An attempt that has ended, its outcome, and whether money that the acquirer held for it was given back. */
export type Ended = { transaction: Transaction; outcome: CardOutcome; wasHeld: boolean }

/**
 * Follows an automatic attempt that failed, in the transaction that saves the failure: plans the next one, or saves why
 * there is none and mails the customer. Other attempts change nothing.
 */
export async function followAttempt(
  tx: Db,
  invoice: WholeInvoice,
  ended: Ended,
  { at, dunningDays }: Omit<Terms, 'dueDay'>,
): Promise<WholeInvoice> {
  const { transaction } = ended
  if (invoice.automaticCharge?.status !== 'TRYING' || transaction.status !== 'FAILED') return invoice
  const dunning = await readDunning(tx, invoice)
  if (dunning?.transactionId !== transaction.id) return invoice
  const terms = { at, dunningDays, dueDay: dueDayOf(invoice) }
  const followed = stoppedForGood(await follow(tx, dunning, ended, terms))
  await mailDeclined(tx, invoice, followed)
  return saveDunning(tx, invoice, followed, at)
}

/** Whether no card is to be charged any more after an attempt. The seller is notified then. */
export function endsCharging(before: WholeInvoice, after: WholeInvoice): boolean {
  const status = after.automaticCharge?.status
  return before.automaticCharge?.status === 'TRYING' && (status === 'GIVEN_UP' || status === 'NEEDS_CARD')
}

async function follow(
  tx: Db,
  dunning: Dunning,
  { transaction, outcome, wasHeld }: Ended,
  terms: Terms,
): Promise<Dunning> {
  const { sellerId, decline, cardId, cardBrand, amount } = transaction
  if (!decline) {
    if (outcome.result === 'absent') {
      return afterNothing(dunning, { refusal: outcome.refusal, cardId }, terms)
    }
    return afterFailure(dunning, wasHeld ? 'NOT_CAPTURED' : 'CHARGE_FAILED', terms)
  }
  const { at, dueDay, dunningDays } = terms
  const declines = cardId === null ? [] : await cardDeclines(tx, { sellerId, cardId, at })
  const firstTriedAt = dunning.firstTriedAt ?? at
  const declined = { brand: cardBrand ?? '', amount, decline, at, dueDay, firstTriedAt, declines }
  return afterDecline(dunning, { next: nextAttempt(declined, dunningDays), decline, cardId }, terms)
}
