import { randomUUID } from 'node:crypto'
import { DomainError } from '@cofre/platform/errors'
import { withTransaction, type Db } from '@cofre/platform/postgres/postgres'
import type { Deps } from '../deps'
import { daysBetween } from '../invoice/calendar-day'
import type { Transaction, WholeInvoice } from '../invoice/invoice'
import { isBeingPaid, tellPaymentFailed } from '../invoice/transition'
import { lockInvoice, saveLocked } from '../invoice-store/invoice-store'
import { newCardPayment, timesOf } from '../payments/begin-payment'
import { cardPriceOf } from '../payments/card-price'
import { checkCardTerms } from '../payments/payment-terms'
import { insertTransaction } from '../payment-store/transaction-store'
import {
  afterDecline,
  awaitCard,
  begin,
  cardsLeft,
  chargedFromOf,
  dueDayOf,
  giveUp,
  heldBack,
  isDue,
  stoppedForGood,
  waitForCard,
  waitForDueDay,
  waitForPerson,
  type Dunning,
  type OwnReason,
  type Terms,
} from './automatic-charge'
import { hasOpenReceipt, lockDunning, saveDunning, type ChargeKey } from './automatic-charge-store'
import { cardDeclines, cardHistory, isCardCharged, type CardHistory } from './card-history-store'
import type { ChargedCard, NoCard } from './chosen-card'
import { endDunning } from './end-dunning'
import { mailDeclined } from './mail-declined'
import { afterFinalDecline, whenAllowed } from './next-attempt'
import { chargingTimeOf } from './schedule'

const DAY_MS = 86_400_000

/** `isKnown`: an issuer has approved or declined a payment of the seller with this card before. */
export type BegunAttempt = {
  invoice: WholeInvoice
  transaction: Transaction
  card: ChargedCard
  isKnown: boolean
}

/**
 * Saves the intention to charge a stored card for an invoice, with the state of its automatic charge, in one
 * transaction; or why no card is charged now. Undefined when nothing is charged. `at`: epoch milliseconds of the
 * billing clock.
 */
export async function beginAttempt(
  { pool, rules }: Pick<Deps, 'pool' | 'rules'>,
  key: ChargeKey,
  card: ChargedCard | NoCard,
  at: number,
): Promise<BegunAttempt | undefined> {
  return withTransaction(pool, async (tx) => {
    const invoice = await lockInvoice(tx, key)
    const dunning = await lockDunning(tx, key)
    if (!dunning || !isDue(dunning, at) || invoice.status !== 'CLOSED' || isBeingPaid(invoice))
      return undefined
    if (dunning.stoppedBy) {
      await saveDunning(tx, invoice, stoppedForGood(dunning), at)
      return undefined
    }
    const terms: Terms = { at, dueDay: dueDayOf(invoice), dunningDays: rules.dunningDays }
    if (at < chargingTimeOf(terms.dueDay)) {
      await saveDunning(tx, invoice, waitForDueDay(dunning, terms), at)
      return undefined
    }
    // The customer keeps another card by now: that one is looked up next time.
    if (!isStillLeft(dunning, card)) return undefined
    if ('reason' in card) {
      const { reason } = card
      await saveUncharged(tx, invoice, dunning, awaitCard(dunning, lastReason(dunning, reason), terms), at)
      return undefined
    }
    const money = cardPriceOf(rules, invoice, 1, lateAsOf(dunning, terms))
    const { sellerId, customer } = invoice
    const history = await cardHistory(tx, { sellerId, customerId: customer.id, cardId: card.id })
    const held = await holdBack(tx, invoice, { dunning, card, history, amount: money.amount }, terms)
    if (held) {
      await saveUncharged(tx, invoice, dunning, held, at)
      return undefined
    }
    const intention = newCardPayment(invoice, randomUUID(), { ...money, at, ...timesOf(rules, at) })
    const chosen = { cardId: card.id, cardBrand: card.brand }
    const begun = await insertTransaction(tx, invoice, { ...intention, ...chosen })
    const saved = await saveDunning(tx, begun.invoice, begin(dunning, begun.transaction.id, at), at)
    const isKnown = history.approved || history.decline !== null
    return { invoice: saved, transaction: begun.transaction, card, isKnown }
  })
}

/** The moment up to which lateness is charged now: the days before the first attempt are no delay of the customer's. */
function lateAsOf(dunning: Dunning, { at, dueDay }: Terms): number {
  const ourDelay = Math.max(0, daysBetween(dueDay, chargedFromOf(dunning, at)))
  return at - ourDelay * DAY_MS
}

function isStillLeft(dunning: Dunning, card: ChargedCard | NoCard): boolean {
  const left = cardsLeft(dunning)
  return 'reason' in card ? left.join() === card.lookedAt.join() : left.includes(card.id)
}

/** Prefers the reason of an earlier decline, which says more than NO_CARD. */
function lastReason({ charge, refusedCards }: Dunning, reason: OwnReason): string {
  return reason === 'NO_CARD' && refusedCards.length > 0 && charge.reason !== null ? charge.reason : reason
}

type Attempt = { dunning: Dunning; card: ChargedCard; history: CardHistory; amount: number }

/**
 * Decides whether the card must wait or be given up. Something may stand against the charge: the invoice's terms,
 * unresolved money of its payer, another charge of the card, its issuer's latest answer, or a limit of its brand.
 */
async function holdBack(
  tx: Db,
  invoice: WholeInvoice,
  { dunning, card, history, amount }: Attempt,
  terms: Terms,
): Promise<Dunning | undefined> {
  const { at, dueDay, dunningDays } = terms
  const refusal = refusalOf(invoice, amount, at)
  if (refusal) return giveUp(dunning, refusal)
  if (await hasOpenReceipt(tx, invoice)) return waitForPerson(dunning, at)
  const stored = { sellerId: invoice.sellerId, cardId: card.id }
  if (await isCardCharged(tx, stored)) return waitForCard(dunning, at)
  const declines = await cardDeclines(tx, { ...stored, at })
  const firstTriedAt = dunning.firstTriedAt ?? at
  const known = { ...dunning, firstTriedAt, chargedFrom: chargedFromOf(dunning, at) }
  const { decline: latest } = history
  const final = latest && afterFinalDecline(card.brand, latest.said)
  if (final) return afterDecline(known, { next: final, decline: latest.said, cardId: card.id }, terms)
  const asked = { brand: card.brand, amount, at, dueDay, firstTriedAt, declines, latest }
  const next = whenAllowed(asked, dunningDays)
  if (next.is === 'attempt' && next.at <= at) return undefined
  return heldBack(known, next, card.id, terms)
}

function refusalOf(invoice: WholeInvoice, payable: number, at: number): OwnReason | undefined {
  try {
    checkCardTerms(invoice, { installments: 1, payable, at })
    return undefined
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return error.reason === 'PAYMENT_WINDOW_CLOSED' ? 'PAYMENT_WINDOW_CLOSED' : 'CARD_NOT_ACCEPTED'
  }
}

/** Saves why no card is charged, and notifies the seller and the customer when that is news. */
async function saveUncharged(
  tx: Db,
  invoice: WholeInvoice,
  before: Dunning,
  after: Dunning,
  at: number,
): Promise<void> {
  const saved = await saveDunning(tx, invoice, after, at)
  const { charge } = before
  const isOver = charge.status !== after.charge.status && after.charge.status !== 'WAITING'
  const isNews = isOver || charge.reason !== after.charge.reason
  if (!isNews) return
  await mailDeclined(tx, invoice, after)
  await endDunning(tx, await saveLocked(tx, tellPaymentFailed(saved, at)), at)
}
