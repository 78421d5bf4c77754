import type { DomainError } from '@cofre/platform/errors'
import type { PayByCardRequest } from '@cofre/proto/invoices/v1/payments'
import type { PaymentRequest } from '@cofre/proto/orders/v1/orders'
import type { Cards } from './cards'
import { refused } from './payment-terms'

/** The card that pays an invoice, and whether the customer keeps it. */
export type ChosenCard = {
  /** The card as the orders service takes it: exactly one of the fields, and the token that keeps a `card`. */
  source: Partial<Pick<PaymentRequest, 'card' | 'keptAs' | 'cardToken' | 'networkToken'>>
  /** The stored card that is charged, and its brand. Null when the card came with the request. */
  cardId: number | null
  cardBrand: string | null
  /** The stored card that the customer keeps once the payment succeeds. */
  keepCardId: number | null
  /** The handle of a card that is to be stored first, to be kept. */
  toStore: string | undefined
  /** Why the card can't be used. A repeated request is answered as before, even if the card has changed since. */
  refusal: DomainError | undefined
}

/** Chooses the card of a payment. UNAVAILABLE when the vault does not answer. */
export async function chooseCard(
  cards: Cards,
  { sellerId, cardId, cardToken, networkToken, card, keepCard }: PayByCardRequest,
): Promise<ChosenCard> {
  const chosen = { cardId: null, cardBrand: null, keepCardId: null, toStore: undefined, refusal: undefined }
  if (networkToken !== '') return { ...chosen, source: { networkToken } }
  if (cardId === undefined && cardToken === '') {
    const isUsable = card !== undefined && card.usable && card.handle !== ''
    return {
      ...chosen,
      source: { card },
      toStore: keepCard ? card?.handle : undefined,
      refusal: isUsable ? undefined : unusable(card?.pointer ?? '#'),
    }
  }
  const stored = await cards.find(sellerId, cardId === undefined ? { token: cardToken } : { id: cardId })
  if (!stored) return { ...chosen, source: {}, refusal: notThere(cardId) }
  return {
    ...chosen,
    source: card ? { card, keptAs: stored.token } : { cardToken: stored.token },
    cardId: stored.id,
    cardBrand: stored.card?.brand ?? null,
    keepCardId: keepCard ? stored.id : null,
    refusal: card && !card.usable ? unusable(card.pointer) : undefined,
  }
}

function notThere(cardId: number | undefined): DomainError {
  if (cardId === undefined) return unusable('#/cardToken')
  return refused('REFERENCE_NOT_FOUND', 'The seller has no stored card with this id.', '#/cardId')
}

function unusable(pointer: string): DomainError {
  return refused('CARD_TOKEN_UNUSABLE', 'The card token cannot be used.', `${pointer}/token`)
}
