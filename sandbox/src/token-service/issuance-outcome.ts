import type { FailReason, Network, Step } from './token'

export type Card = { number: string; expirationMonth: number; expirationYear: number }

export type IssuanceOutcome =
  /** The request is accepted, and these steps follow. Without a step, the token stays PENDING. */
  { network: Network; steps: readonly Step[] } | { refused: FailReason }

const NUMBERS: Record<string, FailReason> = {
  '4111110116638870': 'CARD_NOT_ELIGIBLE',
  '5555550130659057': 'CARD_NOT_ELIGIBLE',
  '2223001850064564': 'CARD_NOT_ELIGIBLE',
  '4111110148486405': 'ISSUER_DECLINED',
  '5555558824815604': 'ISSUER_DECLINED',
  '5204731940398145': 'ISSUER_DECLINED',
  '4111111738973695': 'ACQUIRER_REJECTED',
  '5555550487847545': 'ACQUIRER_REJECTED',
  '5204731601950473': 'ACQUIRER_REJECTED',
  '4111116028998260': 'NETWORK_UNAVAILABLE',
  '5555558122432110': 'NETWORK_UNAVAILABLE',
}

const ACTIVE: Step = { to: 'ACTIVE' }
const failed = (reason: FailReason): Step => ({ to: 'FAILED', reason })

const LAST_DIGITS: Record<string, readonly Step[]> = {
  8: [],
  9: [failed('ISSUER_DECLINED')],
}

const YEARS: Record<number, readonly Step[]> = {
  2032: [failed('CARD_NOT_ELIGIBLE')],
  2033: [failed('CARD_NOT_ELIGIBLE')],
  2034: [ACTIVE, { to: 'SUSPENDED' }, ACTIVE, { to: 'DELETED' }],
  2035: [ACTIVE, { replaceCard: true }],
  2036: [failed('ACQUIRER_REJECTED')],
  2037: [failed('CARD_EXPIRED')],
}
const DECLINED_AT_ONCE = 2038

/** Decides by a known number, else by the last digit, else by the expiry year. Other cards become ACTIVE. */
export function issuanceOutcome(card: Card, now: Date): IssuanceOutcome {
  const network = networkOf(card.number)
  if (!network) return { refused: 'CARD_NOT_ELIGIBLE' }
  if (isPast(card.expirationMonth, card.expirationYear, now)) return { refused: 'CARD_EXPIRED' }

  const reason = NUMBERS[card.number]
  if (reason) return { network, steps: [failed(reason)] }
  const byNumber = LAST_DIGITS[card.number.slice(-1)]
  if (byNumber) return { network, steps: byNumber }
  if (card.expirationYear === DECLINED_AT_ONCE) return { refused: 'ISSUER_DECLINED' }
  return { network, steps: YEARS[card.expirationYear] ?? [ACTIVE] }
}

/** True when a card has expired: it is valid until the end of its month. */
export function isPast(month: number, year: number, now: Date): boolean {
  return year * 12 + month < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1
}

function networkOf(number: string): Network | undefined {
  // Some numbers of Elo lie in Visa's range.
  if (/^(401178|401179|431274|438935|451416|457393|45763[12])/.test(number)) return undefined
  if (/^4(\d{15}|\d{17,18})$/.test(number)) return 'VISA'
  if (/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/.test(number) && number.length === 16)
    return 'MASTERCARD'
  return undefined
}
