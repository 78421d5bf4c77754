/** A card that the page shows: a number that passes Luhn, and the outcome of its token. */
export type TokenCard = { number: string; outcome: string; kind: 'approved' | 'declined' | 'waiting' }

export const TOKEN_CARDS: readonly TokenCard[] = [
  { number: '4111111111111111', outcome: 'active', kind: 'approved' },
  { number: '5555555555554444', outcome: 'active', kind: 'approved' },
  {
    number: '4111111111111129',
    outcome: 'failed, ISSUER_DECLINED: any number that ends in 9',
    kind: 'declined',
  },
  { number: '4111111111111178', outcome: 'stays pending: any number that ends in 8', kind: 'waiting' },
  { number: '4111110148486405', outcome: 'failed, ISSUER_DECLINED', kind: 'declined' },
  { number: '5555558824815604', outcome: 'failed, ISSUER_DECLINED', kind: 'declined' },
  { number: '5204731940398145', outcome: 'failed, ISSUER_DECLINED', kind: 'declined' },
  { number: '4111110116638870', outcome: 'failed, CARD_NOT_ELIGIBLE', kind: 'declined' },
  { number: '5555550130659057', outcome: 'failed, CARD_NOT_ELIGIBLE', kind: 'declined' },
  { number: '2223001850064564', outcome: 'failed, CARD_NOT_ELIGIBLE', kind: 'declined' },
  { number: '4111111738973695', outcome: 'failed, ACQUIRER_REJECTED', kind: 'declined' },
  { number: '5555550487847545', outcome: 'failed, ACQUIRER_REJECTED', kind: 'declined' },
  { number: '5204731601950473', outcome: 'failed, ACQUIRER_REJECTED', kind: 'declined' },
  { number: '4111116028998260', outcome: 'failed, NETWORK_UNAVAILABLE', kind: 'declined' },
  { number: '5555558122432110', outcome: 'failed, NETWORK_UNAVAILABLE', kind: 'declined' },
]

export type TokenYear = { years: string; outcome: string; kind: TokenCard['kind'] }

export const TOKEN_YEARS: readonly TokenYear[] = [
  { years: '2032, 2033', outcome: 'failed, CARD_NOT_ELIGIBLE', kind: 'declined' },
  { years: '2034', outcome: 'active, then suspended, active again, deleted', kind: 'waiting' },
  { years: '2035', outcome: 'active, then the card behind it is replaced', kind: 'waiting' },
  { years: '2036', outcome: 'failed, ACQUIRER_REJECTED', kind: 'declined' },
  { years: '2037', outcome: 'failed, CARD_EXPIRED', kind: 'declined' },
  { years: '2038', outcome: 'refused at once, ISSUER_DECLINED', kind: 'declined' },
  { years: 'any year in the past', outcome: 'refused at once, CARD_EXPIRED', kind: 'declined' },
]
