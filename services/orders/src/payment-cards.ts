import { DomainError } from '@cofre/platform/errors'
import type { AuthorizeOrderRequest } from '@cofre/proto/orders/v1/orders'
import { CardSource, type SealedCard } from '@cofre/proto/vault/v1/vault'
import { brandTakes, verifiesBrand } from './card-brand'
import type { Card } from './charge'
import type { NetworkTokens } from './network-tokens'

export type PaymentCard = { handle: string; card: Card }

const SOURCES: Partial<Record<CardSource, Card['source']>> = {
  [CardSource.CARD_TOKEN]: 'card_token',
  [CardSource.NETWORK_TOKEN]: 'network_token',
}

/**
 * The card of each payment, in their order. What can't be paid with comes as a refusal, not thrown: a repeated
 * request is answered as before, whatever has become of its cards since.
 */
export async function chooseCards(
  networkTokens: NetworkTokens,
  request: AuthorizeOrderRequest,
): Promise<{ cards: PaymentCard[]; refusal: DomainError | undefined }> {
  let refusal: DomainError | undefined
  const cards: PaymentCard[] = []
  for (const payment of request.payments) {
    const sealed = payment.card ?? (await networkCard(networkTokens, request.sellerId, payment.networkToken))
    if (sealed instanceof DomainError) {
      refusal ??= sealed
      cards.push({ handle: '', card: cardOf(undefined, 'network_token') })
      continue
    }
    const source = payment.card ? (SOURCES[sealed.source] ?? 'card') : 'network_token'
    const card = cardOf(sealed, source)
    refusal ??= refusalOf(sealed, card, payment)
    cards.push({ handle: sealed.handle, card })
  }
  return { cards, refusal }
}

async function networkCard(
  networkTokens: NetworkTokens,
  sellerId: number,
  token: string,
): Promise<SealedCard | DomainError> {
  try {
    return await networkTokens.cardFor(sellerId, token)
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}

function refusalOf(
  { pointer, usable, handle }: SealedCard,
  { brand }: Card,
  { amount, installments }: { amount: number; installments: number },
): DomainError | undefined {
  if (!usable || handle === '') {
    return refused('CARD_TOKEN_UNUSABLE', 'The card token cannot be used.', `${pointer}/token`)
  }
  if (!brandTakes(brand, 1) || (amount === 0 && !verifiesBrand(brand))) {
    return refused('CARD_BRAND_UNSUPPORTED', 'The acquirer does not take this card brand here.', pointer)
  }
  if (!brandTakes(brand, installments)) {
    return refused('INSTALLMENTS_NOT_ALLOWED', 'This card brand takes no instalments.', pointer)
  }
  return undefined
}

function refused(code: string, message: string, pointer: string): DomainError {
  return new DomainError('failed_precondition', code, message, {
    errors: [{ pointer, code, detail: message }],
  })
}

function cardOf(sealed: SealedCard | undefined, source: Card['source']): Card {
  return {
    bin: sealed?.card?.bin ?? '',
    lastFour: sealed?.card?.lastFour ?? '',
    brand: sealed?.card?.brand ?? '',
    expirationYear: sealed?.card?.expirationYear ?? 0,
    expirationMonth: sealed?.card?.expirationMonth ?? 0,
    holderName: sealed?.card?.holderName ?? '',
    source,
  }
}
