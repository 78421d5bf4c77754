import { randomUUID } from 'node:crypto'
import { DomainError } from '@cofre/platform/errors'
import { withTransaction, type Db } from '@cofre/platform/postgres/postgres'
import type { Deps, PaymentRules } from '../deps'
import { daysBetween, type CalendarDay } from '@cofre/platform/calendar-day'
import type { Transaction, WholeInvoice } from '../invoice/rules/invoice'
import { lateChargesOf, owedAt } from '../invoice/rules/late-charges'
import { lateFromOf } from '../invoice/rules/lateness'
import { sumOf } from '../invoice/rules/movement'
import { isBeingPaid, tellPaymentFailed } from '../invoice/rules/transition'
import { lockInvoice, saveLocked, type Saving } from '../invoice/store/invoice-store'
import { newCardPayment, timesOf } from '../cards/begin-payment'
import { cardPricesFor } from '../cards/card-price'
import { checkCardTerms } from '../cards/payment-terms'
import { insertTransaction } from '../invoice/store/transaction-store'
import {
  afterDecline,
  awaitCard,
  begin,
  cardsLeft,
  chargedFromOf,
  giveUp,
  heldBack,
  isDue,
  stoppedForGood,
  waitForCard,
  waitForDueDay,
  type Dunning,
  type Terms,
} from './rules/automatic-charge'
import type { OwnReason } from './rules/reason'
import { lockDunning, otherMoneyOf, saveDunning, type ChargeKey } from './automatic-charge-store'
import { afterOtherMoney } from './rules/other-money'
import { cardDeclines, cardHistory, isCardCharged, type CardHistory } from './card-history-store'
import type { ChargedCard, NoCard } from './chosen-card'
import { endDunning } from './end-dunning'
import { mailDeclined } from './mail-declined'
import { afterFinalDecline, firstTryOf, whenAllowed } from './rules/next-attempt'
import { chargingTimeOf, dueDayOf } from './rules/schedule'

const DAY_MS = 86_400_000

/** `isKnown`: an issuer has approved or declined a payment of the seller with this card before. */
export type BegunAttempt = {
  invoice: WholeInvoice
  transaction: Transaction
  card: ChargedCard
  isKnown: boolean
  isBooklet: boolean
}

/**
 * Saves the intention to charge a stored card for an invoice, with the state of its automatic charge, in one
 * transaction; or why no card is charged now. Undefined when nothing is charged. `at`: epoch milliseconds of the
 * billing clock.
 */
export async function beginAttempt(
  deps: Pick<Deps, 'pool' | 'rules' | 'afterSave'>,
  key: ChargeKey,
  card: ChargedCard | NoCard,
  at: number,
): Promise<BegunAttempt | undefined> {
  const { pool, rules } = deps
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
      const after = awaitCard(dunning, lastReason(dunning, reason), terms)
      await saveUncharged(deps, tx, invoice, { before: dunning, after }, at)
      return undefined
    }
    const { held, money, history } = await looked(rules, tx, invoice, { dunning, card }, terms)
    if (held) {
      await saveUncharged(deps, tx, invoice, { before: dunning, after: held }, at)
      return undefined
    }
    const intention = newCardPayment(invoice, randomUUID(), { ...money, at, ...timesOf(rules, at) })
    const chosen = { cardId: card.id, cardBrand: card.brand }
    const begun = await insertTransaction(tx, invoice, { ...intention, ...chosen })
    const saved = await saveDunning(tx, begun.invoice, begin(dunning, begun.transaction.id, card, at), at)
    const isKnown = history.approved || history.decline !== null
    return { invoice: saved, transaction: begun.transaction, card, isKnown, isBooklet: dunning.isBooklet }
  })
}

type Looked = { held: Dunning | undefined; money: { payable: number; amount: number }; history: CardHistory }

/** What a card is to be asked for now, and what its automatic charge becomes if something stands against it (`held`). */
export async function looked(
  rules: PaymentRules,
  tx: Db,
  invoice: WholeInvoice,
  { dunning, card }: { dunning: Dunning; card: ChargedCard },
  terms: Terms,
): Promise<Looked> {
  const payable = askedOf(dunning, invoice, terms.at)
  const [amount = payable] = await cardPricesFor(tx, rules, invoice, { payable, most: 1 })
  const { sellerId, customer } = invoice
  const history = await cardHistory(tx, { sellerId, customerId: customer.id, cardId: card.id })
  const held = await holdBack(rules, tx, invoice, { dunning, card, history, amount }, terms)
  return { held, money: { payable, amount }, history }
}

/**
 * What the card is asked for now, cents. Its holder agreed to the price, so that fine and interest come on top only where
 * the plan says so. What the card is not asked for is written off once it has paid.
 */
function askedOf(dunning: Dunning, invoice: WholeInvoice, at: number): number {
  const { discountAmount } = lateChargesOf(invoice, at)
  if (!dunning.paysLateness) return invoice.open.principal - discountAmount
  return sumOf(owedAt(invoice, lateAsOf(dunning, { at, lateFrom: lateFromOf(invoice) }))) - discountAmount
}

/** The moment up to which lateness is charged now: the days before the first attempt are no delay of the customer's. */
function lateAsOf(dunning: Dunning, { at, lateFrom }: { at: number; lateFrom: CalendarDay }): number {
  const ourDelay = Math.max(0, daysBetween(lateFrom, chargedFromOf(dunning, at)))
  return at - ourDelay * DAY_MS
}

export function isStillLeft(dunning: Dunning, card: ChargedCard | NoCard): boolean {
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
  rules: PaymentRules,
  tx: Db,
  invoice: WholeInvoice,
  { dunning, card, history, amount }: Attempt,
  terms: Terms,
): Promise<Dunning | undefined> {
  const { at, dueDay } = terms
  const { dunningDays } = rules
  const refusal = refusalOf(rules, invoice, amount, at)
  if (refusal) return giveUp(dunning, refusal)
  const other = await otherMoneyOf(tx, invoice)
  if (other) return afterOtherMoney(dunning, other, at)
  const stored = { sellerId: invoice.sellerId, cardId: card.id }
  if (await isCardCharged(tx, stored)) return waitForCard(dunning, at)
  const declines = await cardDeclines(tx, { ...stored, credential: card.credential, at })
  const firstTriedAt = dunning.firstTriedAt ?? at
  const cardTriedAt = firstTryOf(invoice, card.id) ?? at
  const known = { ...dunning, firstTriedAt, chargedFrom: chargedFromOf(dunning, at) }
  const { decline: latest } = history
  const final = latest && afterFinalDecline(card.brand, latest.said)
  if (final) return afterDecline(known, { next: final, decline: latest.said, cardId: card.id }, terms)
  const asked = { brand: card.brand, amount, at, dueDay, firstTriedAt, cardTriedAt, declines, latest }
  const next = whenAllowed(asked, dunningDays)
  if (next.is === 'attempt' && next.at <= at) return undefined
  return heldBack(known, next, card.id, terms)
}

function refusalOf(
  rules: PaymentRules,
  invoice: WholeInvoice,
  payable: number,
  at: number,
): OwnReason | undefined {
  try {
    checkCardTerms(rules, invoice, { installments: 1, payable, at })
    return undefined
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return error.reason === 'PAYMENT_WINDOW_CLOSED' ? 'PAYMENT_WINDOW_CLOSED' : 'CARD_NOT_ACCEPTED'
  }
}

/** Saves why no card is charged, and notifies the seller and the customer when that is news. */
async function saveUncharged(
  deps: Saving,
  tx: Db,
  invoice: WholeInvoice,
  { before, after }: { before: Dunning; after: Dunning },
  at: number,
): Promise<void> {
  const saved = await saveDunning(tx, invoice, after, at)
  const { charge } = before
  const isOver = charge.status !== after.charge.status && after.charge.status !== 'WAITING'
  const isNews = isOver || charge.reason !== after.charge.reason
  if (!isNews) return
  await mailDeclined(tx, invoice, after, at)
  await endDunning(deps, tx, await saveLocked(deps, tx, tellPaymentFailed(saved, at)), at)
}
