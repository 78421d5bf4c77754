import { DomainError } from '@cofre/platform/errors'
import type { Card } from './card'
import type { CardReference } from './card-store'
import type { Deps } from '../deps'
import { invalidHandle, openHandle } from './handle'
import { revealNetworkToken } from './network-token'
import { revealCard } from './stored-number'

/** Returns the card of a handle. Throws FAILED_PRECONDITION CARD_TOKEN_UNUSABLE when its number was destroyed. */
export async function cardOfHandle(deps: Deps, sellerId: number, handle: string): Promise<Card> {
  const { keys, now } = deps
  const sealed = await openHandle(keys, sellerId, handle, now())
  if ('card' in sealed) return sealed.card
  if ('networkToken' in sealed) {
    const card = await cardOfNetworkToken(deps, sellerId, sealed.networkToken)
    return card.token ? { ...card, token: { ...card.token, cryptogram: sealed.cryptogram } } : card
  }
  if (!('cardId' in sealed)) throw invalidHandle()
  const stored = await storedCard(deps, sellerId, { id: sealed.cardId })
  return sealed.cvv ? { ...stored, cvv: sealed.cvv } : stored
}

/** Throws FAILED_PRECONDITION CARD_TOKEN_UNUSABLE when the seller has no such card, or deleted it. */
export async function storedCard(
  { pool, keys }: Deps,
  sellerId: number,
  reference: CardReference,
): Promise<Card> {
  const stored = await revealCard(pool, keys, sellerId, reference)
  if (stored) return stored
  throw new DomainError('failed_precondition', 'CARD_TOKEN_UNUSABLE', 'The card token cannot be used.')
}

/** Throws FAILED_PRECONDITION CARD_TOKEN_UNUSABLE when the token's numbers were destroyed. */
export async function cardOfNetworkToken(deps: Deps, sellerId: number, networkToken: string): Promise<Card> {
  const card = await revealNetworkToken(deps, sellerId, networkToken)
  if (card) return card
  throw new DomainError('failed_precondition', 'CARD_TOKEN_UNUSABLE', 'The network token no longer exists.')
}
