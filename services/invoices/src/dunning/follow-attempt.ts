import type { Db } from '@cofre/platform/postgres/postgres'
import type { EndedAttempt } from '../cards/record-outcome'
import type { WholeInvoice } from '../invoice/rules/invoice'
import { tellPaymentFailed } from '../invoice/rules/transition'
import { saveLocked, type Saving } from '../invoice/store/invoice-store'
import {
  afterDecline,
  afterFailure,
  afterNothing,
  stoppedForGood,
  type Dunning,
  type Terms,
} from './rules/automatic-charge'
import { readDunning, saveDunning } from './automatic-charge-store'
import { cardDeclines } from './card-history-store'
import { endDunning } from './end-dunning'
import { mailDeclined, mailRetry } from './mail-declined'
import { firstTryOf, nextAttempt } from './rules/next-attempt'
import { dueDayOf } from './rules/schedule'

/**
 * Follows an attempt that brought no money, in the transaction that saves it: plans the next automatic one or ends them,
 * notifies the seller of the failure and of the end, and gives the invoice up where its seller asked for that.
 */
export async function afterAttempt(
  { dunningDays, ...saving }: Saving & Pick<Terms, 'dunningDays'>,
  tx: Db,
  invoice: WholeInvoice,
  ended: EndedAttempt,
  at: number,
): Promise<WholeInvoice> {
  const followed = await followAttempt(tx, invoice, ended, { at, dunningDays })
  const isNotified = ended.isNotified || endsCharging(invoice, followed)
  const saved = isNotified ? await saveLocked(saving, tx, tellPaymentFailed(followed, at)) : followed
  return endDunning(saving, tx, saved, at)
}

/**
 * Follows an automatic attempt that failed: plans the next one, or saves why there is none and mails the customer. Other
 * attempts change nothing.
 */
async function followAttempt(
  tx: Db,
  invoice: WholeInvoice,
  ended: EndedAttempt,
  { at, dunningDays }: Omit<Terms, 'dueDay'>,
): Promise<WholeInvoice> {
  const { transaction } = ended
  if (invoice.automaticCharge?.status !== 'TRYING' || transaction.status !== 'FAILED') return invoice
  const dunning = await readDunning(tx, invoice)
  if (dunning?.transactionId !== transaction.id) return invoice
  const terms = { at, dunningDays, dueDay: dueDayOf(invoice) }
  const followed = stoppedForGood(await follow(tx, invoice, dunning, ended, terms))
  await mailDeclined(tx, invoice, followed, at)
  if (transaction.decline) await mailRetry(tx, invoice, followed, at)
  return saveDunning(tx, invoice, followed, at)
}

/** Whether no card is to be charged any more after an attempt. The seller is notified then. */
function endsCharging(before: WholeInvoice, after: WholeInvoice): boolean {
  const status = after.automaticCharge?.status
  return before.automaticCharge?.status === 'TRYING' && (status === 'GIVEN_UP' || status === 'NEEDS_CARD')
}

async function follow(
  tx: Db,
  invoice: WholeInvoice,
  dunning: Dunning,
  { transaction, outcome, wasHeld }: EndedAttempt,
  terms: Terms,
): Promise<Dunning> {
  const { sellerId, decline, cardId, cardBrand, amount } = transaction
  if (!decline) {
    if (outcome.result === 'absent') {
      return afterNothing(dunning, { refusal: outcome.refusal, cardId }, terms)
    }
    return afterFailure(dunning, wasHeld ? 'NOT_CAPTURED' : 'CHARGE_FAILED', terms)
  }
  const cardTriedAt = firstTryOf(invoice, cardId) ?? terms.at
  const { at, dueDay, dunningDays } = terms
  const declines = cardId === null ? [] : await cardDeclines(tx, { sellerId, cardId, at })
  const firstTriedAt = dunning.firstTriedAt ?? at
  const declined = {
    brand: cardBrand ?? '',
    amount,
    decline,
    at,
    dueDay,
    firstTriedAt,
    cardTriedAt,
    declines,
  }
  return afterDecline(dunning, { next: nextAttempt(declined, dunningDays), decline, cardId }, terms)
}
