import { dayOf } from '@cofre/platform/calendar-day'
import { withoutZeros } from '@cofre/platform/outbound/partner-answers'
import type { Decline } from '../../invoice/rules/invoice'
import { chargingTimeOf } from './schedule'

/** A decline of a card: when (epoch milliseconds), and for how much (cents). */
export type CardDecline = { at: number; amount: number }

type Window = { days: number } | 'calendar month'

/**
 * How often a card may be declined for one seller before each further attempt costs a fee. `of`: which declines count.
 * `source`: the source of the rule.
 */
type Limit = { most: number; within: Window; of: 'card' | 'card and amount'; source: string }

const RETRY_PROGRAMMES = "Cielo, the brands' retry programmes"

const LIMITS: Readonly<Record<string, readonly Limit[]>> = {
  VISA: [
    {
      most: 15,
      within: { days: 30 },
      of: 'card and amount',
      source: `${RETRY_PROGRAMMES}: Visa, categories 2, 3 and 4`,
    },
  ],
  MASTERCARD: [
    {
      most: 35,
      within: { days: 30 },
      of: 'card',
      source: `${RETRY_PROGRAMMES}: Mastercard Excessive Attempts, 35 declines in 30 days`,
    },
    {
      most: 7,
      within: { days: 1 },
      of: 'card',
      source: `${RETRY_PROGRAMMES}: Mastercard Excessive Attempts, 7 in 24 hours`,
    },
  ],
  ELO: [
    {
      most: 15,
      within: 'calendar month',
      of: 'card and amount',
      source: `${RETRY_PROGRAMMES}: Elo, any decline code`,
    },
  ],
}

/** Four retries after the first attempt, for every brand. */
const ACQUIRER: Limit = {
  most: 5,
  within: { days: 16 },
  of: 'card and amount',
  source: 'Cielo, its own return codes: at most 4 retries in 16 days',
}
const ACQUIRER_CODES = new Set('60 67 70 89 98 99 999 AA AV BL BO DF DM DS EK'.split(' '))

/** How many days after the first attempt with a card a payment may be tried with that card at all. */
const LAST_TRY_DAYS: Readonly<Record<string, number>> = {
  // Visa: 30 days from the first attempt; every later one costs a fee.
  VISA: 30,
}

/** Codes after which a brand charges for the very next attempt: Visa category 1; for Elo, the codes final to ABECS. */
const NEVER_BY_CODE: Readonly<Record<string, ReadonlySet<string>>> = {
  VISA: new Set('4 7 12 14 15 41 43 46 57 R0 R1 R3'.split(' ')),
  ELO: new Set(['AB', 'AC']),
}

/** Mastercard's merchant advice codes after which a card is never tried again: also prepaid and single-use cards. */
const NEVER_BY_ADVICE = new Set(['3', '21', '40', '41'])

const HOUR_MS = 3_600_000
/** Mastercard's merchant advice codes: how long to wait, hours. Codes 24 to 30 come only with response code 51. */
const WAIT_HOURS: Readonly<Record<string, number>> = {
  2: 72,
  24: 1,
  25: 24,
  26: 2 * 24,
  27: 4 * 24,
  28: 6 * 24,
  29: 8 * 24,
  30: 10 * 24,
}

/** Whether the brand charges for any further attempt with the same card after this decline. */
export function brandForbids(brand: string, { acquirerCode, adviceCode = '' }: Decline): boolean {
  const isFinal = NEVER_BY_CODE[brand]?.has(withoutZeros(acquirerCode.toUpperCase())) === true
  return isFinal || (brand === 'MASTERCARD' && NEVER_BY_ADVICE.has(withoutZeros(adviceCode.toUpperCase())))
}

/** How long the next attempt waits by Mastercard's advice, milliseconds. 0 when the advice names no time. */
export function adviceWaitMs(brand: string, { adviceCode = '' }: Decline): number {
  if (brand !== 'MASTERCARD') return 0
  return (WAIT_HOURS[withoutZeros(adviceCode.toUpperCase())] ?? 0) * HOUR_MS
}

/**
 * A payment to be tried with a card. `decline`: its latest. `declines`: all of the card within the last 31 days.
 * `cardTriedAt`: when it was first tried with this card.
 */
type Tried = {
  brand: string
  amount: number
  decline?: Decline
  declines: readonly CardDecline[]
  cardTriedAt: number
}

/** When a card is next within every limit, with all payments of the seller counted. Epoch milliseconds. */
export function earliestWithin({ brand, amount, decline, declines }: Omit<Tried, 'cardTriedAt'>): number {
  const ofAcquirer =
    decline && ACQUIRER_CODES.has(withoutZeros(decline.acquirerCode.toUpperCase())) ? [ACQUIRER] : []
  const limits = [...(LIMITS[brand] ?? []), ...ofAcquirer]
  return Math.max(0, ...limits.map((limit) => earliestOf(limit, declines, amount)))
}

/** Until when a payment may be tried with a card, epoch milliseconds. */
export function lastTryOf({ brand, cardTriedAt }: Pick<Tried, 'brand' | 'cardTriedAt'>): number {
  const days = LAST_TRY_DAYS[brand]
  return days === undefined ? Infinity : cardTriedAt + days * 24 * HOUR_MS
}

function earliestOf({ most, within, of }: Limit, declines: readonly CardDecline[], amount: number): number {
  const counted = declines.filter((each) => of === 'card' || each.amount === amount).map(({ at }) => at)
  // There is room for one more attempt once this decline no longer counts.
  const last = counted.toSorted((a, b) => b - a)[most - 1]
  if (last === undefined) return 0
  return within === 'calendar month' ? monthAfter(last) : last + within.days * 24 * HOUR_MS
}

/** The first charging time of the month that follows a moment. */
function monthAfter(at: number): number {
  const [year = 0, month = 0] = dayOf(at).split('-').map(Number)
  return chargingTimeOf(new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10))
}
