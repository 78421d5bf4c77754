import { brazilTime } from '../acquirer/brazil-time'
import { groupedNumber } from '../test-cards'
import { asOf, type Authentication, type AuthenticationStatus } from './authentication'
import { AUTHENTICATION_CARDS } from './authentication-cards'
import type { ThreeDSecure } from './three-d-secure'

const AUTHENTICATIONS_SHOWN = 12

const KINDS: Record<AuthenticationStatus, string> = {
  CHALLENGE: 'waiting',
  AUTHENTICATED: 'approved',
  REJECTED: 'declined',
  UNAVAILABLE: 'lost',
}

const reais = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })

/** Returns the data about 3-D Secure for the page. */
export function threeDSecureView({ book }: ThreeDSecure) {
  return {
    count: book.count,
    authentications: book.newest(AUTHENTICATIONS_SHOWN).map(row),
    cards: AUTHENTICATION_CARDS.map(({ outcome, visa, mastercard, elo }) => ({
      outcome,
      numbers: [visa, mastercard, elo].map(groupedNumber),
    })),
  }
}

function row(authentication: Authentication) {
  const { createdAt, brand, cardLastFour, amount, eci, status, reason } = asOf(authentication, Date.now())
  return {
    time: brazilTime(createdAt),
    card: `${brand} ${cardLastFour}`,
    amount: reais.format(amount / 100),
    eci,
    status: status.toLowerCase(),
    kind: KINDS[status],
    reason: reason ?? '',
  }
}
