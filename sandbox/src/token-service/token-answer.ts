import type { Cryptogram } from './cryptogram'
import type { NetworkToken } from './token'
import { tokenNumber } from './token-number'

/** Returns a token as its seller sees it: its number only while it is active. JSON leaves undefined fields out. */
export function presentToken(token: NetworkToken) {
  const { id, reference, network, status, reason, card, updatedAt } = token
  const active = status === 'ACTIVE'
  return {
    reference,
    id,
    status,
    reason: reason ?? undefined,
    network,
    token: active ? numberAndExpiration(token) : undefined,
    card,
    paymentAccountReference: active ? token.paymentAccountReference : undefined,
    updatedAt,
  }
}

/** Returns everything about a token, for the sandbox's controls. */
export function presentTruth(token: NetworkToken, cryptograms: readonly Cryptogram[]) {
  const { id, reference, merchantId, network, status, reason, card, createdAt, updatedAt } = token
  const hasNumber = status !== 'PENDING' && status !== 'FAILED'
  return {
    id,
    reference,
    merchantId,
    network,
    status,
    reason,
    cardLastFour: card.lastFour,
    tokenLastFour: hasNumber ? tokenNumber(network, token.sequence).slice(-4) : null,
    cryptograms: cryptograms.map(({ hash: _hash, tokenId: _tokenId, ...shown }) => shown),
    createdAt,
    updatedAt,
  }
}

function numberAndExpiration({ network, sequence, expirationMonth, expirationYear }: NetworkToken) {
  const number = tokenNumber(network, sequence)
  return { number, expirationMonth, expirationYear, lastFour: number.slice(-4) }
}
