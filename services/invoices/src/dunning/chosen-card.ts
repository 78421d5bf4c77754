import type { StoredCard } from '@cofre/proto/vault/v1/vault'
import type { Cards } from '../payments/cards'
import { dayOf } from '../invoice/calendar-day'
import { cardsLeft, type Dunning, type OwnReason } from './automatic-charge'

/** The card that an automatic attempt charges. */
export type ChargedCard = { id: number; token: string; brand: string }

/**
 * The first card that may be charged for an invoice, or why there is none. UNAVAILABLE when the vault does not answer.
 */
export async function chosenCard(
  cards: Cards,
  sellerId: number,
  dunning: Dunning,
  at: number,
): Promise<ChargedCard | OwnReason> {
  let reason: OwnReason = 'NO_CARD'
  for (const id of cardsLeft(dunning)) {
    const stored = await cards.find(sellerId, { id })
    if (stored && !isExpired(stored, at)) return { id, token: stored.token, brand: stored.card?.brand ?? '' }
    reason = stored ? 'CARD_EXPIRED' : 'CARD_REMOVED'
  }
  return reason
}

/** A card is good until the last day of its month. */
function isExpired({ card }: StoredCard, at: number): boolean {
  const { expirationYear = 0, expirationMonth = 0 } = card ?? {}
  return `${expirationYear}-${String(expirationMonth).padStart(2, '0')}` < dayOf(at).slice(0, 7)
}
