import { addDays, dayOf, type CalendarDay } from '@cofre/platform/calendar-day'
import type { Decline, WholeInvoice } from '../../invoice/rules/invoice'
import { adviceWaitMs, brandForbids, earliestWithin, lastTryOf, type CardDecline } from './brand-limits'
import { chargingTimeOf, retriesOf } from './schedule'

/** The next step after a decline, and the rule that decides it. */
export type Next =
  | { is: 'attempt'; at: number; rule: 'SCHEDULE' | 'ADVICE' | 'BRAND_LIMIT' }
  | { is: 'needs_card' }
  | { is: 'given_up'; rule: 'SCHEDULE_OVER' | 'BRAND_LIMIT' | 'HOLDER_STOPPED' | 'NOT_THE_CARD' }

/**
 * `firstTriedAt`: when a card was first tried for the invoice. `cardTriedAt`: when this one was. `at`: when it was
 * declined. Epoch milliseconds, cents.
 */
export type Declined = {
  brand: string
  amount: number
  decline: Decline
  at: number
  dueDay: CalendarDay
  firstTriedAt: number
  cardTriedAt: number
  /** Declines of the same card for the same seller within the last 31 days, this one included. */
  declines: readonly CardDecline[]
}

/** When a card was first tried for an invoice and declined, epoch milliseconds. Undefined when it was not. */
export function firstTryOf(
  { transactions }: Pick<WholeInvoice, 'transactions'>,
  cardId: number | null,
): number | undefined {
  return transactions.find((each) => each.cardId === cardId && each.decline !== null)?.createdAt
}

/** The cardholder has had the issuer stop these payments. */
const HOLDER_STOPPED = new Set(['RECURRING_STOPPED'])
const PLAN_CANCELLED = /^0*21$/
/** Codes that another card would not change: the seller's account or the payment itself is at fault. */
const NOT_THE_CARD = new Set([
  'INVALID_MERCHANT',
  'ACQUIRER_PROBLEM',
  'FORMAT_ERROR',
  'INVALID_AMOUNT',
  'INVALID_INSTALLMENTS',
  'TERMINAL_NOT_ALLOWED',
  'INVALID_REVERSAL',
  'CASH_UNAVAILABLE',
])
/** Days until the next attempt: a payer without money today has none tomorrow (Cielo's advice, "longer gaps"). */
const GAP_DAYS: Readonly<Record<string, number>> = { INSUFFICIENT_FUNDS: 2 }

/**
 * When a card that was declined is tried again. Mastercard's advice may lead beyond the schedule's last day; a limit of
 * the brand never does.
 */
export function nextAttempt(declined: Declined, dunningDays: readonly number[]): Next {
  const { brand, decline, at } = declined
  if (!decline.retryable || brandForbids(brand, decline)) return withoutRetry(brand, decline)
  const left = retriesOf(declined, dunningDays).filter((each) => dayOf(each) > dayOf(at))
  const [first] = left
  if (first === undefined) return { is: 'given_up', rule: 'SCHEDULE_OVER' }
  const advised = advisedTime(brand, decline, at)
  const allowed = earliestWithin(declined)
  const from = Math.max(advised, allowed)
  const next = timeFrom(left, from) ?? (allowed > advised ? Infinity : onDayOf(advised))
  if (next === Infinity || next > lastTryOf(declined)) return { is: 'given_up', rule: 'BRAND_LIMIT' }
  const isPlanned = dayOf(from) <= dayOf(first)
  return {
    is: 'attempt',
    at: next,
    rule: isPlanned ? 'SCHEDULE' : allowed > advised ? 'BRAND_LIMIT' : 'ADVICE',
  }
}

/**
 * When a card may be tried that is at a limit of its brand after other payments, or has to wait on its issuer's advice:
 * now (`at`), on one of the days that are left, or never. `latest`: the issuer's latest answer, if a decline.
 */
export function whenAllowed(
  { latest, ...asked }: Omit<Declined, 'decline'> & { latest: { at: number; said: Decline } | null },
  dunningDays: readonly number[],
): Exclude<Next, { is: 'needs_card' }> {
  const advised = latest ? latest.at + adviceWaitMs(asked.brand, latest.said) : 0
  const allowed = Math.max(advised, earliestWithin({ ...asked, ...(latest ? { decline: latest.said } : {}) }))
  // A try that somebody asked for may come long after the schedule.
  if (asked.at > lastTryOf(asked)) return { is: 'given_up', rule: 'BRAND_LIMIT' }
  if (allowed <= asked.at) return { is: 'attempt', at: asked.at, rule: 'SCHEDULE' }
  const next = timeFrom(retriesOf(asked, dunningDays), allowed)
  if (next === undefined || next > lastTryOf(asked)) return { is: 'given_up', rule: 'BRAND_LIMIT' }
  return { is: 'attempt', at: next, rule: 'BRAND_LIMIT' }
}

/** The next step when the issuer's latest answer rules out any charge of the card. Undefined when it does not. */
export function afterFinalDecline(brand: string, decline: Decline): Next | undefined {
  if (decline.retryable && !brandForbids(brand, decline)) return undefined
  const next = withoutRetry(brand, decline)
  return next.is === 'given_up' && next.rule === 'NOT_THE_CARD' ? undefined : next
}

function withoutRetry(brand: string, { code, adviceCode = '' }: Decline): Next {
  const isCancelled = brand === 'MASTERCARD' && PLAN_CANCELLED.test(adviceCode.trim())
  if (isCancelled || HOLDER_STOPPED.has(code)) return { is: 'given_up', rule: 'HOLDER_STOPPED' }
  return NOT_THE_CARD.has(code) ? { is: 'given_up', rule: 'NOT_THE_CARD' } : { is: 'needs_card' }
}

/** The earliest next attempt that the decline itself advises. */
function advisedTime(brand: string, decline: Decline, at: number): number {
  const waitMs = adviceWaitMs(brand, decline)
  if (waitMs > 0) return at + waitMs
  const days = GAP_DAYS[decline.code]
  return days === undefined ? at : chargingTimeOf(addDays(dayOf(at), days))
}

/** The first planned moment on or after the day of `from`, and not before `from` itself. */
function timeFrom(planned: readonly number[], from: number): number | undefined {
  const slot = planned.find((each) => dayOf(each) >= dayOf(from))
  return slot === undefined ? undefined : Math.max(slot, from)
}

function onDayOf(at: number): number {
  return Math.max(at, chargingTimeOf(dayOf(at)))
}
