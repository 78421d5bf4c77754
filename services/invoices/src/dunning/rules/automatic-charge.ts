import { dayOf, type CalendarDay } from '@cofre/platform/calendar-day'
import type { Refusal } from '../../cards/rules/card-payment'
import type { AutomaticCharge, AutomaticChargeStatus, Decline } from '../../invoice/rules/invoice'
import type { Next } from './next-attempt'
import type { OwnReason } from './reason'
import { chargingTimeOf, retriesOf } from './schedule'

/** Where an automatic charge may go from each state. PAID and STOPPED come with the invoice (automatic-charge-store.ts). */
const NEXT: Record<AutomaticChargeStatus, readonly AutomaticChargeStatus[]> = {
  WAITING: ['TRYING', 'WAITING', 'NEEDS_CARD', 'GIVEN_UP', 'PAID', 'STOPPED'],
  TRYING: ['WAITING', 'NEEDS_CARD', 'GIVEN_UP', 'PAID', 'STOPPED'],
  NEEDS_CARD: ['TRYING', 'WAITING', 'NEEDS_CARD', 'GIVEN_UP', 'PAID', 'STOPPED'],
  GIVEN_UP: ['WAITING', 'PAID', 'STOPPED'],
  PAID: [],
  STOPPED: ['PAID'],
}

/** An automatic charge with all that decides on it. Times in epoch milliseconds. */
export type Dunning = {
  charge: AutomaticCharge
  /** The latest attempt. */
  transactionId: number | null
  /** When the card was first due to be charged. */
  firstTriedAt: number | null
  /** The day of the first attempt that reached the acquirer, or would have with a card. Null when there was none. */
  chargedFrom: CalendarDay | null
  /** Attempts in a row that did not reach the acquirer, or the bank. */
  failures: number
  /** Cards that are not tried again for this invoice. */
  refusedCards: readonly number[]
  /** Cards of which a payment is disputed, and the seller has not won: their holders would dispute the next one. */
  disputedCards: readonly number[]
  /** With NEEDS_CARD: when the next card is looked for. Null leaves that unchanged. */
  lookAt: number | null
  /** The cards that may be charged, the first choice first. */
  cards: readonly number[]
  /** Those that were declined since the schedule last came round: each other is tried before them. */
  triedCards: readonly number[]
  /** The seller gives the invoice up once its card is given up. */
  givesUp: boolean
  /** The card is asked for fine and interest too. */
  paysLateness: boolean
  /** One purchase in a fixed number of charges; else a subscription. */
  isBooklet: boolean
  /** Its recurring invoice is paused. */
  isPaused: boolean
  /** Why no further attempt is made: the recurring invoice was cancelled, or its customer deleted. Null for neither. */
  stoppedBy: OwnReason | null
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** The wait after an attempt that reached nobody: short at first, then twice as long each time. */
const SOON_MS = 15 * MINUTE_MS
const LATER_MS = 6 * 60 * MINUTE_MS
/** After an hour the orders service asks again about a charge that got no answer: no other charge is made before. */
const SECOND_LOOK_MS = 90 * MINUTE_MS

/** The cards that are left to try, in their order. */
export function cardsLeft(dunning: Dunning): number[] {
  const { cards, refusedCards, disputedCards, triedCards } = dunning
  const left = cards.filter((each) => !refusedCards.includes(each) && !disputedCards.includes(each))
  return left.toSorted((one, other) => Number(triedCards.includes(one)) - Number(triedCards.includes(other)))
}

/** Whether the charge is due at a moment: another process may have been faster. */
export function isDue({ charge }: Dunning, at: number): boolean {
  const { status, nextAttemptAt, isHeld } = charge
  if (isHeld) return false
  return status === 'NEEDS_CARD' || (status === 'WAITING' && nextAttemptAt !== null && nextAttemptAt <= at)
}

/** Begins an attempt: a card is charged now. `passedOver`: cards before it that can't be. */
export function begin(
  dunning: Dunning,
  transactionId: number,
  { passedOver }: { passedOver: readonly number[] },
  at: number,
): Dunning {
  const { attempts } = dunning.charge
  const trying = move(dunning, { status: 'TRYING', attempts: attempts + 1 })
  const chargedFrom = chargedFromOf(dunning, at)
  const triedCards = [...dunning.triedCards, ...passedOver]
  return { ...trying, transactionId, triedCards, firstTriedAt: dunning.firstTriedAt ?? at, chargedFrom }
}

/** The day from which a delay is the customer's. An attempt that reached nobody was no attempt of theirs. */
export function chargedFromOf({ charge, chargedFrom, firstTriedAt }: Dunning, at: number): CalendarDay {
  const isUnheard = charge.attempts === 0 && OURS.has(charge.reason)
  return isUnheard ? dayOf(at) : (chargedFrom ?? dayOf(firstTriedAt ?? at))
}

/** Reasons why nobody has been asked for money yet, through no fault of a customer. Null: nothing was tried. */
const OURS: ReadonlySet<string | null> = new Set<OwnReason | null>([
  null,
  'NOT_REACHED',
  'BANK_NOT_REACHED',
  'MONEY_RECEIVED',
])

/** Reasons that do not concern another card of the customer. */
const OF_ONE_CARD: ReadonlySet<string> = new Set(['BRAND_LIMIT', 'HOLDER_STOPPED'])

function hasOther(dunning: Dunning, cardId: number | null): boolean {
  return cardsLeft(dunning).some((each) => each !== cardId)
}

/** Whether another card is left that was not tried: it is tried before the schedule goes on. */
function hasUntried(dunning: Dunning, cardId: number | null): boolean {
  return cardsLeft(dunning).some((each) => each !== cardId && !dunning.triedCards.includes(each))
}

/** Follows a decline as the rules (`next`) say. `cardId`: the card that was declined. */
export function afterDecline(
  dunning: Dunning,
  { next, decline, cardId }: { next: Next; decline: Decline; cardId: number | null },
  terms: Terms,
): Dunning {
  const heard = { ...dunning, failures: 0 }
  const reason = next.is === 'given_up' && next.rule === 'BRAND_LIMIT' ? 'BRAND_LIMIT' : decline.code
  const isOfSchedule = next.is === 'attempt' || (next.is === 'given_up' && next.rule === 'SCHEDULE_OVER')
  if (isOfSchedule && hasUntried(heard, cardId)) {
    const triedCards = cardId === null ? heard.triedCards : [...heard.triedCards, cardId]
    return move({ ...heard, triedCards }, { status: 'WAITING', nextAttemptAt: terms.at, reason })
  }
  if (next.is === 'attempt') return comesRound(heard, next.at, reason)
  const isOfCard = next.is === 'needs_card' || OF_ONE_CARD.has(next.rule)
  const isOver = next.is === 'given_up' && !(isOfCard && hasOther(dunning, cardId))
  return isOver ? move(heard, { status: 'GIVEN_UP', reason }) : refuseCard(heard, cardId, reason, terms)
}

/** Follows an attempt that never reached the acquirer: it does not count. `cardId`: the card that was to be charged. */
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

/** Tries again soon, until the schedule ends. `waitMs`: the wait that was asked for; undefined: nobody was reached. */
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
 * Follows a charge that failed without a decline. It counts as an attempt, since something may have been sent. A second
 * one in a row that was authorized and not captured ends the automatic charge.
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
  return comesRound(heard, nextAttemptAt, reason)
}

/** How often the bank is asked about a slip before the card is charged all the same: that takes half a day. */
const BANK_ASKED_MOST = 6

/**
 * Waits for the bank: it does not say whether a slip of the invoice was paid, or has not reported the money (`isPaid`).
 * It is asked again soon. Undefined when it was asked often enough.
 */
export function waitForBank(dunning: Dunning, isPaid: boolean, at: number): Dunning | undefined {
  const reason: OwnReason = 'BANK_NOT_REACHED'
  const failures = failuresBy(reason, dunning)
  if (!isPaid && failures >= BANK_ASKED_MOST) return undefined
  const nextAttemptAt = at + backOff(failures)
  return move({ ...dunning, failures: failures + 1 }, { status: 'WAITING', nextAttemptAt, reason })
}

/** How often in a row the acquirer, or the bank, was not reached. The two are counted apart. */
function failuresBy(reason: OwnReason, { charge, failures }: Dunning): number {
  return charge.reason === reason ? failures : 0
}

/** Waits for the due day: no card is charged before it. When no card is kept, one is looked for on the due day. */
export function waitForDueDay(dunning: Dunning, { dueDay }: Terms): Dunning {
  const dueAt = chargingTimeOf(dueDay)
  if (dunning.charge.status === 'NEEDS_CARD') return { ...dunning, lookAt: dueAt }
  return move(dunning, { status: 'WAITING', nextAttemptAt: dueAt, reason: null })
}

function backOff(failures: number): number {
  return Math.min(SOON_MS * 2 ** Math.min(failures, 10), LATER_MS)
}

/** Waits a minute while the card is charged for another invoice: its brand's limits are known after that. */
export function waitForCard(dunning: Dunning, at: number): Dunning {
  return move(dunning, { status: 'WAITING', nextAttemptAt: at + MINUTE_MS })
}

/** Postpones or gives up a card that a limit of its brand keeps from being charged now. */
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

/** Tries one card once more, now: the others count as tried. After it the schedule goes on, or is over as before. */
export function tryOnceMore(dunning: Dunning, cardId: number, at: number): Dunning {
  const triedCards = dunning.cards.filter((each) => each !== cardId)
  return move({ ...dunning, triedCards }, { status: 'WAITING', nextAttemptAt: at })
}

export function giveUp(dunning: Dunning, reason: OwnReason): Dunning {
  return move(dunning, { status: 'GIVEN_UP', reason })
}

/** Stops the charge when the recurring invoice was cancelled, or its customer deleted. */
export function stoppedForGood(dunning: Dunning): Dunning {
  const { status } = dunning.charge
  const isLeft = status === 'WAITING' || status === 'NEEDS_CARD'
  if (dunning.stoppedBy === null || !isLeft) return dunning
  return move(dunning, { status: 'STOPPED', reason: dunning.stoppedBy })
}

/** The moment of a decision (`at`, epoch milliseconds), and the rules for it. */
export type Terms = { at: number; dueDay: CalendarDay; dunningDays: readonly number[] }

/**
 * Waits for a card when none is left to charge. Each remaining day of the schedule looks for a card that the customer
 * keeps by then; the last day ends the automatic charge.
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

/** Excludes a card from this invoice. Another one is tried at once, or asked for. */
function refuseCard(dunning: Dunning, cardId: number | null, reason: string, terms: Terms): Dunning {
  const refusedCards = cardId === null ? dunning.refusedCards : [...dunning.refusedCards, cardId]
  const known = { ...dunning, refusedCards }
  const following = timesOf(known, terms).find((each) => each > terms.at)
  if (hasUntried(known, cardId)) return move(known, { status: 'WAITING', nextAttemptAt: terms.at, reason })
  if (cardsLeft(known).length === 0 || following === undefined) return awaitCard(known, reason, terms)
  return comesRound(known, following, reason)
}

/** Waits for a later time of the schedule, at which all cards that are left may be tried again. */
function comesRound(dunning: Dunning, nextAttemptAt: number, reason: string): Dunning {
  return move({ ...dunning, triedCards: [] }, { status: 'WAITING', nextAttemptAt, reason })
}

/** All moments at which the schedule charges a card. */
function timesOf({ firstTriedAt }: Dunning, { dueDay, dunningDays }: Terms): number[] {
  const first = firstTriedAt ?? chargingTimeOf(dueDay)
  return [first, ...retriesOf({ dueDay, firstTriedAt: first }, dunningDays)]
}

function lastTimeOf(dunning: Dunning, terms: Terms): number {
  return timesOf(dunning, terms).at(-1) ?? terms.at
}

/** The automatic charge after a move. Throws for one that its state does not allow. */
export function move(
  dunning: Dunning,
  change: Partial<AutomaticCharge> & { status: AutomaticChargeStatus },
): Dunning {
  const { charge } = dunning
  if (!NEXT[charge.status].includes(change.status)) {
    throw new Error(`an automatic charge that is ${charge.status} cannot become ${change.status}`)
  }
  return { ...dunning, charge: { ...charge, nextAttemptAt: null, ...change } }
}
