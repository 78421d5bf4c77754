import { DomainError } from '@cofre/platform/errors'
import type { Reason } from '@cofre/platform/reason'
import type { AuthorizeOrderRequest, PaymentRequest } from '@cofre/proto/orders/v1/orders'
import { CardSource, type CardSummary, type SealedCard } from '@cofre/proto/vault/v1/vault'
import type { CardReference } from '../acquirer/acquirer'
import { brandTakes, verifiesBrand } from '../cielo/card-brand'
import { authenticationPointer, authenticationRefusal } from '../charge/authentication'
import type { Card } from '../charge/charge'
import type { Deps } from '../deps'
import type { NetworkTokens } from '../network-tokens/network-tokens'

export type PaymentCard = {
  /** An empty handle for a network token: its cryptogram is obtained when the payment's turn comes. */
  reference: CardReference
  card: Card
  networkToken?: { token: string; cardIsCurrent: boolean }
}

type Chosen = {
  cards: PaymentCard[]
  refusal: DomainError | undefined
  /** The account at the acquirer for which the order's network tokens were made. */
  merchantId: string | undefined
}

/**
 * Returns the card of each payment, in order. An unusable card is a refusal in the result, not thrown: a repeated
 * request gets its first answer, whatever happened to its cards since.
 */
export async function chooseCards(
  deps: Pick<Deps, 'keptCards' | 'networkTokens'>,
  request: AuthorizeOrderRequest,
): Promise<Chosen> {
  const chosen: Chosen = { cards: [], refusal: undefined, merchantId: undefined }
  for (const [position, payment] of request.payments.entries()) {
    const member = payment.cardToken === '' ? 'networkToken' : 'cardToken'
    const pointer = request.capture ? `#/${member}` : `#/payments/${position}/${member}`
    const { card, refusal, merchantId } = await choose(deps, request.sellerId, payment, pointer)
    chosen.cards.push(card)
    chosen.merchantId ??= merchantId
    const otherAccount = merchantId !== undefined && merchantId !== chosen.merchantId
    chosen.refusal ??=
      refusal ??
      (otherAccount ? notAccepted(pointer) : undefined) ??
      refusalOf(card.card, payment, payment.card?.pointer ?? pointer) ??
      authenticationRefusal(payment, card.card.brand, authenticationPointer(request, position))
  }
  return chosen
}

type Choice = { card: PaymentCard; refusal?: DomainError; merchantId?: string }

async function choose(
  { keptCards, networkTokens }: Pick<Deps, 'keptCards' | 'networkTokens'>,
  sellerId: number,
  { card, cardToken, networkToken }: PaymentRequest,
  pointer: string,
): Promise<Choice> {
  if (card) return sealedCard(card)
  if (cardToken === '') return networkCard(networkTokens, sellerId, networkToken, pointer)
  const kept = await keptCards.find(sellerId, cardToken)
  const chosen = { reference: { cardToken }, card: cardOf(kept, 'CARD_TOKEN') }
  return kept ? { card: chosen } : { card: chosen, refusal: unusable(pointer) }
}

function sealedCard(sealed: SealedCard): Choice {
  const { handle, source, usable, pointer } = sealed
  const shown = cardOf(sealed.card, source === CardSource.CARD_TOKEN ? 'CARD_TOKEN' : 'CARD')
  const card = { reference: { handle }, card: shown }
  return usable && handle !== '' ? { card } : { card, refusal: unusable(pointer) }
}

function unusable(pointer: string): DomainError {
  return refused('CARD_TOKEN_UNUSABLE', 'The card token cannot be used.', `${pointer}/token`)
}

const OF_THE_TOKEN: ReadonlySet<Reason> = new Set(['CARD_TOKEN_UNUSABLE', 'NETWORK_TOKEN_NOT_ACTIVE'])
const NO_CARD_YET = { reference: { handle: '' } }

async function networkCard(
  networkTokens: NetworkTokens,
  sellerId: number,
  token: string,
  pointer: string,
): Promise<Choice> {
  try {
    const { card, merchantId, cardIsCurrent } = await networkTokens.describe(sellerId, token)
    const networkToken = { token, cardIsCurrent }
    return { card: { ...NO_CARD_YET, card: cardOf(card, 'NETWORK_TOKEN'), networkToken }, merchantId }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const refusal = OF_THE_TOKEN.has(error.reason)
      ? refused(error.reason, error.message, `${pointer}/token`)
      : error
    return { card: { ...NO_CARD_YET, card: cardOf(undefined, 'NETWORK_TOKEN') }, refusal }
  }
}

function notAccepted(pointer: string): DomainError {
  const message = 'The network tokens of an order must belong to one establishment.'
  return refused('PAYMENT_METHOD_NOT_ACCEPTED', message, `${pointer}/token`)
}

function refusalOf(
  { brand }: Card,
  { amount, installments }: { amount: number; installments: number },
  pointer: string,
): DomainError | undefined {
  if (!brandTakes(brand, 1) || (amount === 0 && !verifiesBrand(brand))) {
    return refused('CARD_BRAND_UNSUPPORTED', 'The acquirer does not accept this card brand.', pointer)
  }
  if (!brandTakes(brand, installments)) {
    return refused('INSTALLMENTS_NOT_ALLOWED', 'This card brand does not allow installments.', pointer)
  }
  return undefined
}

function refused(code: Reason, message: string, pointer: string): DomainError {
  return new DomainError('failed_precondition', code, message, {
    errors: [{ pointer, code, detail: message }],
  })
}

function cardOf(card: CardSummary | undefined, source: Card['source']): Card {
  return {
    bin: card?.bin ?? '',
    lastFour: card?.lastFour ?? '',
    brand: card?.brand ?? '',
    expirationYear: card?.expirationYear ?? 0,
    expirationMonth: card?.expirationMonth ?? 0,
    holderName: card?.holderName ?? '',
    source,
  }
}
