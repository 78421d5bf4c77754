import { DomainError } from '@cofre/platform/errors'
import type { Reason } from '@cofre/platform/reason'
import type { AuthorizeOrderRequest, PaymentRequest } from '@cofre/proto/orders/v1/orders'
import { CardSource, type CardSummary, type SealedCard } from '@cofre/proto/vault/v1/vault'
import type { CardReference } from '../acquirer/acquirer'
import type { Capabilities } from '../acquirer/capabilities'
import { authenticationPointer, authenticationRefusal } from '../charge/authentication'
import { brandRefusal, cardRefused } from '../charge/brand-refusal'
import type { Card } from '../charge/charge'
import type { Deps } from '../deps'
import type { NetworkTokens } from '../network-tokens/network-tokens'

export type PaymentCard = {
  /** An empty handle for a network token: its cryptogram is obtained when the payment's turn comes. */
  reference: CardReference
  card: Card
  /** Other brands may have issued the card too. */
  brandIsGuess: boolean
  /** The token under which the card is kept, or is kept as from this payment on; undefined: it is not kept. */
  keptAs?: string
  networkToken?: { token: string; cardIsCurrent: boolean }
}

export type ChosenCards = {
  cards: PaymentCard[]
  /** Why a payment's card is unusable at any acquirer, in the order of the payments. */
  refusals: (DomainError | undefined)[]
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
): Promise<ChosenCards> {
  const chosen: ChosenCards = { cards: [], refusals: [], merchantId: undefined }
  for (const [position, payment] of request.payments.entries()) {
    const pointer = pointerOf(request, position, payment)
    const { card, refusal, merchantId } = await choose(deps, request.sellerId, payment, pointer)
    chosen.cards.push(card)
    chosen.merchantId ??= merchantId
    const otherAccount = merchantId !== undefined && merchantId !== chosen.merchantId
    chosen.refusals.push(refusal ?? (otherAccount ? notAccepted(pointer) : undefined))
  }
  return chosen
}

/** Returns the first reason why an order can't be sent to an acquirer. */
export function refusalAt(
  acquirer: Capabilities,
  request: AuthorizeOrderRequest,
  { cards, refusals }: ChosenCards,
): DomainError | undefined {
  for (const [position, payment] of request.payments.entries()) {
    const chosen = cards[position]
    if (!chosen) throw new Error('a payment without its card')
    const brand = { brand: chosen.card.brand, isGuess: chosen.brandIsGuess }
    const pointer = payment.card?.pointer ?? pointerOf(request, position, payment)
    const refusal =
      refusals[position] ??
      brandRefusal(acquirer, brand, payment, pointer) ??
      authenticationRefusal(payment, brand, authenticationPointer(request, position))
    if (refusal) return refusal
  }
  return undefined
}

function pointerOf(
  { capture }: AuthorizeOrderRequest,
  position: number,
  { cardToken }: PaymentRequest,
): string {
  const member = cardToken === '' ? 'networkToken' : 'cardToken'
  return capture ? `#/${member}` : `#/payments/${position}/${member}`
}

type Choice = { card: PaymentCard; refusal?: DomainError; merchantId?: string }

async function choose(
  { keptCards, networkTokens }: Pick<Deps, 'keptCards' | 'networkTokens'>,
  sellerId: number,
  { card, cardToken, networkToken, keptAs }: PaymentRequest,
  pointer: string,
): Promise<Choice> {
  if (card) return sealedCard(card, keptAs)
  if (cardToken === '') return networkCard(networkTokens, sellerId, networkToken, pointer)
  const kept = await keptCards.find(sellerId, cardToken)
  const chosen = { reference: { cardToken }, keptAs: cardToken, ...chosenCard(kept, 'CARD_TOKEN') }
  return kept ? { card: chosen } : { card: chosen, refusal: unusable(pointer) }
}

function sealedCard(sealed: SealedCard, keptAs: string): Choice {
  const { handle, source, usable, pointer } = sealed
  const shown = chosenCard(sealed.card, source === CardSource.CARD_TOKEN ? 'CARD_TOKEN' : 'CARD')
  const card = { reference: { handle }, ...(keptAs ? { keptAs } : {}), ...shown }
  return usable && handle !== '' ? { card } : { card, refusal: unusable(pointer) }
}

function unusable(pointer: string): DomainError {
  return cardRefused('CARD_TOKEN_UNUSABLE', 'The card token cannot be used.', `${pointer}/token`)
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
    const active = await networkTokens.describe(sellerId, token)
    const { merchantId, cardIsCurrent } = active
    // A network token keeps its card too: the stored card that it was requested with, or one of its own.
    const kept = { keptAs: active.cardToken || token, networkToken: { token, cardIsCurrent } }
    return { card: { ...NO_CARD_YET, ...chosenCard(active.card, 'NETWORK_TOKEN'), ...kept }, merchantId }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const refusal = OF_THE_TOKEN.has(error.reason)
      ? cardRefused(error.reason, error.message, `${pointer}/token`)
      : error
    return { card: { ...NO_CARD_YET, ...chosenCard(undefined, 'NETWORK_TOKEN') }, refusal }
  }
}

function notAccepted(pointer: string): DomainError {
  const message = 'The network tokens of an order must belong to one establishment.'
  return cardRefused('PAYMENT_METHOD_NOT_ACCEPTED', message, `${pointer}/token`)
}

export function chosenCard(
  card: CardSummary | undefined,
  source: Card['source'],
): Pick<PaymentCard, 'card' | 'brandIsGuess'> {
  return { card: cardOf(card, source), brandIsGuess: card?.brandIsGuess ?? false }
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
