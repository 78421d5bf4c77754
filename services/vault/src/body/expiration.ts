import { dayOf } from '@cofre/platform/calendar-day'
import { gives, isJsonObject, type JsonObject } from './json'

export type Expiration = { year: number; month: number }

/**
 * Returns a card's expiration and its member: `expiration`, or on voucher cards `expires`, with a year of two digits.
 * Undefined when it is missing or malformed: the caller, which knows the body's whole shape, reports that fault.
 */
export function readExpiration(card: JsonObject): { member: string; expiration: Expiration } | undefined {
  const member = gives(card, 'expiration') ? 'expiration' : 'expires'
  const given = Object.hasOwn(card, member) ? card[member] : undefined
  if (!isJsonObject(given)) return undefined
  const [year, month] = [wholeOf(given.year), wholeOf(given.month)]
  const [from, to, century] = member === 'expires' ? [0, 99, 2000] : [1000, 9999, 0]
  if (!isWhole(year, from, to) || !isWhole(month, 1, 12)) return undefined
  return { member, expiration: { year: century + year, month } }
}

/** True after the card's month has ended in São Paulo: it is good through the last day. `now`: epoch milliseconds. */
export function hasExpired({ year, month }: Expiration, now: number): boolean {
  const [thisYear = 0, thisMonth = 0] = dayOf(now).split('-').map(Number)
  return year * 12 + month < thisYear * 12 + thisMonth
}

/** Digits may stand as text. */
function wholeOf(given: unknown): unknown {
  return typeof given === 'string' && /^\d{1,4}$/.test(given) ? Number(given) : given
}

function isWhole(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
}
