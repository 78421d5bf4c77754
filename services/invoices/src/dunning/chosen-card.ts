import type { StoredCard } from '@cofre/proto/vault/v1/vault'
import type { Deps } from '../deps'
import { dayOf } from '../invoice/calendar-day'
import { cardsLeft, type Dunning, type OwnReason } from './automatic-charge'

/** The card that an automatic attempt charges: by its network token, or by its own. */
export type ChargedCard = {
  id: number
  brand: string
  source: { networkToken: string } | { cardToken: string }
}

type Sources = Pick<Deps, 'cards' | 'networkTokens'>

/**
 * The first card that may be charged for an invoice, or why there is none. A card with a network token is charged by it:
 * so it stays good once it has expired or was replaced. UNAVAILABLE when the vault does not answer.
 */
export async function chosenCard(
  { cards, networkTokens }: Sources,
  sellerId: number,
  dunning: Dunning,
  at: number,
): Promise<ChargedCard | OwnReason> {
  let reason: OwnReason = 'NO_CARD'
  for (const id of cardsLeft(dunning)) {
    const stored = await cards.find(sellerId, { id })
    const networkToken = stored && (await networkTokens.findOfCard(sellerId, stored.token))
    const brand = stored?.card?.brand ?? ''
    if (networkToken) return { id, brand, source: { networkToken } }
    if (stored && !isExpired(stored, at)) return { id, brand, source: { cardToken: stored.token } }
    reason = stored ? 'CARD_EXPIRED' : 'CARD_REMOVED'
  }
  return reason
}

/** A card is good until the last day of its month. */
function isExpired({ card }: StoredCard, at: number): boolean {
  const { expirationYear = 0, expirationMonth = 0 } = card ?? {}
  return `${expirationYear}-${String(expirationMonth).padStart(2, '0')}` < dayOf(at).slice(0, 7)
}
