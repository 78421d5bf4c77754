import { isJsonObject, type JsonObject } from './json'

export type Expiration = { year: number; month: number }

const SAO_PAULO_MONTH = new Intl.DateTimeFormat('en', {
  timeZone: 'America/Sao_Paulo',
  year: 'numeric',
  month: 'numeric',
})

/**
 * Where a card says until when it is good: `expiration`, or `expires` with a year of two digits on voucher cards.
 * Undefined when it does not say, or says it badly: that fault is found by who knows the body's whole shape.
 */
export function readExpiration(card: JsonObject): { member: string; expiration: Expiration } | undefined {
  const member = Object.hasOwn(card, 'expiration') ? 'expiration' : 'expires'
  const given = Object.hasOwn(card, member) ? card[member] : undefined
  if (!isJsonObject(given)) return undefined
  const { year, month } = given
  const [from, to, century] = member === 'expires' ? [0, 99, 2000] : [1000, 9999, 0]
  if (!isWhole(year, from, to) || !isWhole(month, 1, 12)) return undefined
  return { member, expiration: { year: century + year, month } }
}

/** A card is good through the last day of its month, in São Paulo. `now`: epoch milliseconds. */
export function hasExpired({ year, month }: Expiration, now: number): boolean {
  const parts = SAO_PAULO_MONTH.formatToParts(now)
  const numberOf = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  return year * 12 + month < numberOf('year') * 12 + numberOf('month')
}

function isWhole(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
}
