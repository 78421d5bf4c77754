import { brazilTime } from '../acquirer/brazil-time'
import { groupedNumber } from '../test-cards'
import type { NetworkToken, TokenStatus } from './token'
import { presentTruth } from './token-answer'
import { TOKEN_CARDS, TOKEN_YEARS } from './token-cards'
import type { TokenService } from './token-service'

const TOKENS_SHOWN = 12

const KINDS: Record<TokenStatus, string> = {
  PENDING: 'waiting',
  ACTIVE: 'approved',
  SUSPENDED: 'waiting',
  DELETED: 'declined',
  FAILED: 'declined',
}

/** Returns the data about the token service for the page. */
export function tokenServiceView(service: TokenService) {
  const { tokens, lifeCycle } = service
  return {
    delayMs: lifeCycle.delayMs,
    pushesOn: lifeCycle.pushesOn,
    count: tokens.count,
    tokens: tokens.newest(TOKENS_SHOWN).map((token) => tokenRow(service, token)),
    cards: TOKEN_CARDS.map(({ number, ...card }) => ({ number: groupedNumber(number), ...card })),
    years: TOKEN_YEARS,
  }
}

function tokenRow({ cryptograms }: TokenService, token: NetworkToken) {
  const { reference, network, status, reason, cardLastFour, tokenLastFour, ...truth } = presentTruth(
    token,
    cryptograms.ofToken(token.id),
  )
  return {
    time: brazilTime(truth.createdAt),
    reference,
    card: `${network === 'VISA' ? 'Visa' : 'Mastercard'} ${cardLastFour}`,
    tokenLastFour,
    status: status.toLowerCase(),
    reason,
    kind: KINDS[status],
    cryptograms: used(truth.cryptograms),
  }
}

function used(cryptograms: readonly { usedAt: number | null }[]): string {
  if (cryptograms.length === 0) return ''
  return `${cryptograms.filter(({ usedAt }) => usedAt !== null).length} of ${cryptograms.length}`
}
