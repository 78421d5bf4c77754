import { dayOf, type CalendarDay } from '../invoice/calendar-day'
import type { Refusal } from '../invoice/card-payment'
import type { AutomaticCharge, AutomaticChargeStatus, Decline } from '../invoice/invoice'
import type { Next } from './next-attempt'
import { chargingTimeOf, retriesOf } from './schedule'

/** Where an automatic charge may go from each state. PAID and STOPPED come with the invoice (automatic-charge-store.ts). */
const NEXT: Record<AutomaticChargeStatus, readonly AutomaticChargeStatus[]> = {
  WAITING: ['TRYING', 'WAITING', 'NEEDS_CARD', 'GIVEN_UP', 'PAID', 'STOPPED'],
  TRYING: ['WAITING', 'NEEDS_CARD', 'GIVEN_UP', 'PAID', 'STOPPED'],
  NEEDS_CARD: ['TRYING', 'WAITING', 'NEEDS_CARD', 'GIVEN_UP', 'PAID', 'STOPPED'],
  GIVEN_UP: ['PAID', 'STOPPED'],
  PAID: [],
  STOPPED: ['PAID'],
}

/** An automatic charge with all that decides on it. Times in epoch milliseconds. */
export type Dunning = {
  charge: AutomaticCharge
  /** The latest attempt. */
  transactionId: number | null
  /** When the card was first to be charged. */
  firstTriedAt: number | null
  /** The day of the first attempt that reached somebody, or would have, had there been a card; null: none did. */
  chargedFrom: CalendarDay | null
  /** Attempts in a row that reached nobody. */
  failures: number
  /** Cards that are not tried again for this invoice. */
  refusedCards: readonly number[]
  /** With NEEDS_CARD: when the customer may have another card. Null: as before. */
  lookAt: number | null
  /** The cards that may be charged, the first choice first. */
  cards: readonly number[]
  /** The seller gives the invoice up once its card is. */
  givesUp: boolean
  /** Why no further attempt is made: the recurring invoice was cancelled, or its customer deleted. Null: neither. */
  stoppedBy: OwnReason | null
}

/** Why no card is charged, beside the codes of declines. */
export type OwnReason =
  | 'NO_CARD'
  | 'CARD_REMOVED'
  | 'CARD_EXPIRED'
  | 'BRAND_LIMIT'
  | 'NOT_REACHED'
  | 'BANK_NOT_REACHED'
  | 'MONEY_RECEIVED'
  | 'CHARGE_FAILED'
  | 'NOT_CAPTURED'
  | 'CARD_UNUSABLE'
  | 'PAYMENT_METHOD_NOT_ACCEPTED'
  | 'CARD_NOT_ACCEPTED'
  | 'PAYMENT_WINDOW_CLOSED'
  | 'RECURRING_INVOICE_CANCELLED'
  | 'CUSTOMER_DELETED'

/** What no card is at fault for. */
const NOT_OF_THE_CARD: ReadonlySet<string | null> = new Set<OwnReason>([
  'NO_CARD',
  'NOT_REACHED',
  'BANK_NOT_REACHED',
  'MONEY_RECEIVED',
  'CHARGE_FAILED',
  'NOT_CAPTURED',
  'PAYMENT_METHOD_NOT_ACCEPTED',
])

/** Whether a card is why no card is charged. */
export function isOfTheCard({ reason }: Pick<AutomaticCharge, 'reason'>): boolean {
  return !NOT_OF_THE_CARD.has(reason)
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** After an attempt that reached nobody: soon, then twice as long each time. */
const SOON_MS = 15 * MINUTE_MS
const LATER_MS = 6 * 60 * MINUTE_MS
/** The orders service asks again about a charge that failed by silence after an hour: no other is made before. */
const SECOND_LOOK_MS = 90 * MINUTE_MS

/** The cards that are left to try. */
export function cardsLeft({ cards, refusedCards }: Dunning): number[] {
  return cards.filter((each) => !refusedCards.includes(each))
}

/** Whether it is to be seen to at a moment: somebody else may have been faster. */
export function isDue({ charge }: Dunning, at: number): boolean {
  const { status, nextAttemptAt } = charge
  return status === 'NEEDS_CARD' || (status === 'WAITING' && nextAttemptAt !== null && nextAttemptAt <= at)
}

/** A card is charged now. */
export function begin(dunning: Dunning, transactionId: number, at: number): Dunning {
  const { attempts } = dunning.charge
  const trying = move(dunning, { status: 'TRYING', attempts: attempts + 1 })
  const chargedFrom = chargedFromOf(dunning, at)
  return { ...trying, transactionId, firstTriedAt: dunning.firstTriedAt ?? at, chargedFrom }
}

/** From which day on an attempt that is made now holds the customer late: what reached nobody was no attempt of theirs. */
export function chargedFromOf({ charge, chargedFrom, firstTriedAt }: Dunning, at: number): CalendarDay {
  const isUnheard = charge.attempts === 0 && OURS.has(charge.reason)
  return isUnheard ? dayOf(at) : (chargedFrom ?? dayOf(firstTriedAt ?? at))
}

/** Why nobody has been asked for money yet, through no fault of a customer. Null: nothing was tried. */
const OURS: ReadonlySet<string | null> = new Set<OwnReason | null>([
  null,
  'NOT_REACHED',
  'BANK_NOT_REACHED',
  'MONEY_RECEIVED',
])

/** What another card of the customer is not concerned by. */
const OF_ONE_CARD: ReadonlySet<string> = new Set(['BRAND_LIMIT', 'HOLDER_STOPPED'])

function hasOther(dunning: Dunning, cardId: number | null): boolean {
  return cardsLeft(dunning).some((each) => each !== cardId)
}

/** The card was declined, and the rules say what comes. `cardId`: the card that was. */
export function afterDecline(
  dunning: Dunning,
  { next, decline, cardId }: { next: Next; decline: Decline; cardId: number | null },
  terms: Terms,
): Dunning {
  const heard = { ...dunning, failures: 0 }
  const reason = next.is === 'given_up' && next.rule === 'BRAND_LIMIT' ? 'BRAND_LIMIT' : decline.code
  if (next.is === 'attempt') return move(heard, { status: 'WAITING', nextAttemptAt: next.at, reason })
  const isOfCard = next.is === 'needs_card' || OF_ONE_CARD.has(next.rule)
  const isOver = next.is === 'given_up' && !(isOfCard && hasOther(dunning, cardId))
  return isOver ? move(heard, { status: 'GIVEN_UP', reason }) : refuseCard(heard, cardId, reason, terms)
}

/** Nothing was sent to the acquirer: the attempt does not count. `cardId`: the card that was to be charged. */
export function afterNothing(
  dunning: Dunning,
  { refusal, cardId }: { refusal: Refusal | undefined; cardId: number | null },
  terms: Terms,
): Dunning {
  const { charge } = dunning
  const uncounted = { ...dunning, charge: { ...charge, attempts: Math.max(0, charge.attempts - 1) } }
  if (!refusal || refusal.by === 'busy') return tryLater(uncounted, refusal?.waitMs, terms)
  if (refusal.by === 'card') return refuseCard(uncounted, cardId, 'CARD_UNUSABLE', terms)
  if (refusal.by === 'token') return move(uncounted, { status: 'WAITING', nextAttemptAt: terms.at })
  const reason = refusal.isOfEstablishment ? 'PAYMENT_METHOD_NOT_ACCEPTED' : 'CHARGE_FAILED'
  return giveUp(uncounted, reason)
}

/** Soon, for as long as the schedule lasts. `waitMs`: as long as was asked for; undefined: nobody was reached. */
function tryLater(dunning: Dunning, waitMs: number | undefined, terms: Terms): Dunning {
  const { charge } = dunning
  const isBusy = waitMs !== undefined
  const inARow = failuresBy('NOT_REACHED', dunning)
  const nextAttemptAt = terms.at + Math.ceil(waitMs ?? backOff(inARow))
  const known = { ...dunning, failures: isBusy ? dunning.failures : inARow + 1 }
  const isOver = nextAttemptAt > lastTimeOf(dunning, terms) + DAY_MS
  if (isOver) return giveUp(known, 'NOT_REACHED')
  const reason = isBusy ? charge.reason : 'NOT_REACHED'
  return move(known, { status: 'WAITING', nextAttemptAt, reason })
}

/**
 * The charge came to nothing, and no issuer declined it: it counts, since something may have been sent. A second one in a
 * row that was authorized and not captured ends it.
 */
export function afterFailure(
  dunning: Dunning,
  reason: 'CHARGE_FAILED' | 'NOT_CAPTURED',
  terms: Terms,
): Dunning {
  const heard = { ...dunning, failures: 0 }
  const isSecondHold = reason === 'NOT_CAPTURED' && dunning.charge.reason === reason
  const from = terms.at + SECOND_LOOK_MS
  const nextAttemptAt = timesOf(dunning, terms).find((each) => each >= from && dayOf(each) > dayOf(terms.at))
  if (isSecondHold || nextAttemptAt === undefined) return move(heard, { status: 'GIVEN_UP', reason })
  return move(heard, { status: 'WAITING', nextAttemptAt, reason })
}

/** So often the bank is asked about a slip before the card is charged all the same: that takes half a day. */
const BANK_ASKED_MOST = 6

/**
 * The bank does not say whether a slip of the invoice was paid, or has not told of its money (`isPaid`): it is asked again
 * soon. Undefined: it was asked often enough.
 */
export function waitForBank(dunning: Dunning, isPaid: boolean, at: number): Dunning | undefined {
  const reason: OwnReason = 'BANK_NOT_REACHED'
  const failures = failuresBy(reason, dunning)
  if (!isPaid && failures >= BANK_ASKED_MOST) return undefined
  const nextAttemptAt = at + backOff(failures)
  return move({ ...dunning, failures: failures + 1 }, { status: 'WAITING', nextAttemptAt, reason })
}

/** Of the acquirer and of the bank, each alone: how often in a row it was not reached. */
function failuresBy(reason: OwnReason, { charge, failures }: Dunning): number {
  return charge.reason === reason ? failures : 0
}

/** Money of the invoice's payer waits for a person: it is looked at again a day later. */
export function waitForPerson(dunning: Dunning, at: number): Dunning {
  return move(dunning, { status: 'WAITING', nextAttemptAt: at + DAY_MS, reason: 'MONEY_RECEIVED' })
}

/** No card is charged before its day. Where none is kept, the due day is when one is looked for. */
export function waitForDueDay(dunning: Dunning, { dueDay }: Terms): Dunning {
  const dueAt = chargingTimeOf(dueDay)
  if (dunning.charge.status === 'NEEDS_CARD') return { ...dunning, lookAt: dueAt }
  return move(dunning, { status: 'WAITING', nextAttemptAt: dueAt, reason: null })
}

function backOff(failures: number): number {
  return Math.min(SOON_MS * 2 ** Math.min(failures, 10), LATER_MS)
}

/** The card is charged for another invoice: its brand's limits are known once that is over. */
export function waitForCard(dunning: Dunning, at: number): Dunning {
  return move(dunning, { status: 'WAITING', nextAttemptAt: at + MINUTE_MS })
}

/** A limit of the brand keeps the card from being tried now. */
export function heldBack(
  dunning: Dunning,
  next: Exclude<Next, { is: 'needs_card' }>,
  cardId: number,
  terms: Terms,
): Dunning {
  const reason: OwnReason = 'BRAND_LIMIT'
  if (next.is === 'given_up') {
    return hasOther(dunning, cardId) ? refuseCard(dunning, cardId, reason, terms) : giveUp(dunning, reason)
  }
  return move(dunning, { status: 'WAITING', nextAttemptAt: next.at, reason })
}

export function giveUp(dunning: Dunning, reason: OwnReason): Dunning {
  return move(dunning, { status: 'GIVEN_UP', reason })
}

/** No attempt follows where the recurring invoice was cancelled, or its customer deleted. */
export function stoppedForGood(dunning: Dunning): Dunning {
  const { status } = dunning.charge
  const isLeft = status === 'WAITING' || status === 'NEEDS_CARD'
  if (dunning.stoppedBy === null || !isLeft) return dunning
  return move(dunning, { status: 'STOPPED', reason: dunning.stoppedBy })
}

/** When and by which rules it is decided: `at` epoch milliseconds. */
export type Terms = { at: number; dueDay: CalendarDay; dunningDays: readonly number[] }

/**
 * No card is left to charge. On each of the days that are left a card is looked for that the customer keeps by then; the
 * last one ends it.
 */
export function awaitCard(dunning: Dunning, reason: string, terms: Terms): Dunning {
  const { at, dueDay } = terms
  const isDay = at >= chargingTimeOf(dueDay)
  const firstTriedAt = dunning.firstTriedAt ?? (isDay ? at : null)
  const chargedFrom = dunning.chargedFrom ?? (isDay ? dayOf(at) : null)
  const known = { ...dunning, firstTriedAt, chargedFrom }
  const lookAt = timesOf(known, terms).find((each) => each > at)
  if (lookAt === undefined) return move(known, { status: 'GIVEN_UP', reason })
  return move({ ...known, lookAt }, { status: 'NEEDS_CARD', reason })
}

/** A card is not tried again for the invoice: on the next day of the schedule another one is, or is asked for. */
function refuseCard(dunning: Dunning, cardId: number | null, reason: string, terms: Terms): Dunning {
  const refusedCards = cardId === null ? dunning.refusedCards : [...dunning.refusedCards, cardId]
  const known = { ...dunning, refusedCards }
  const nextAttemptAt = timesOf(known, terms).find((each) => each > terms.at)
  if (cardsLeft(known).length === 0 || nextAttemptAt === undefined) return awaitCard(known, reason, terms)
  return move(known, { status: 'WAITING', nextAttemptAt, reason })
}

/** All moments at which the card is charged, as planned. */
function timesOf({ firstTriedAt }: Dunning, { dueDay, dunningDays }: Terms): number[] {
  const first = firstTriedAt ?? chargingTimeOf(dueDay)
  return [first, ...retriesOf({ dueDay, firstTriedAt: first }, dunningDays)]
}

function lastTimeOf(dunning: Dunning, terms: Terms): number {
  return timesOf(dunning, terms).at(-1) ?? terms.at
}

/** The day by which an invoice is due. */
export function dueDayOf({ dueDate }: { dueDate: number }): CalendarDay {
  return dayOf(dueDate)
}

function move(
  dunning: Dunning,
  change: Partial<AutomaticCharge> & { status: AutomaticChargeStatus },
): Dunning {
  const { charge } = dunning
  if (!NEXT[charge.status].includes(change.status)) {
    throw new Error(`an automatic charge that is ${charge.status} cannot become ${change.status}`)
  }
  return { ...dunning, charge: { ...charge, nextAttemptAt: null, ...change } }
}
