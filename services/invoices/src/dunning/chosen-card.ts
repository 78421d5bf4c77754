import { DomainError } from '@cofre/platform/errors'
import type { StoredCard } from '@cofre/proto/vault/v1/vault'
import type { Deps } from '../deps'
import { credentialOf } from '../cards/store/card-decline-store'
import { dayOf } from '@cofre/platform/calendar-day'
import { cardsLeft, type Dunning } from './rules/automatic-charge'
import type { OwnReason } from './rules/reason'

/** The card that an automatic attempt charges: by its network token, or by its card token. */
export type ChargedCard = {
  id: number
  brand: string
  /** As the orders service names it. */
  credential: string
  source: Source
  /** With a network token: the card token, if the card itself has not expired. */
  spare?: Source
  /** Cards that come before it, and can't be charged now: expired or destroyed. They count as tried. */
  passedOver: readonly number[]
}

/** Why no card may be charged, and which cards were looked at. */
export type NoCard = { reason: OwnReason; lookedAt: readonly number[] }

type Source = { networkToken: string } | { cardToken: string }

/** The brands whose expired cards may be charged: some issuers approve them, or answer with a new number. */
type ExpiryRule = { expiredCardBrands: ReadonlySet<string> }

type Sources = Pick<Deps, 'cards' | 'networkTokens'>

/**
 * The first card that may be charged for an invoice, or why there is none. A card with a network token is charged by
 * it, so it stays good after it has expired or was replaced. UNAVAILABLE when the vault does not answer, or nobody says
 * whether an expired card has a token.
 */
export async function chosenCard(
  { cards, networkTokens, rules: { expiredCardBrands } }: Sources & { rules: ExpiryRule },
  sellerId: number,
  dunning: Dunning,
  at: number,
): Promise<ChargedCard | NoCard> {
  const lookedAt = cardsLeft(dunning)
  let reason: OwnReason = dunning.disputedCards.length > 0 ? 'CARD_DISPUTED' : 'NO_CARD'
  const isGood = ({ card }: StoredCard) => !isExpired(card, at) || expiredCardBrands.has(card?.brand ?? '')
  for (const [place, id] of lookedAt.entries()) {
    const stored = await cards.find(sellerId, { id })
    const sources = stored && (await sourcesOf(networkTokens, sellerId, stored, isGood(stored)))
    if (sources) {
      const passedOver = lookedAt.slice(0, place)
      const credential = credentialOf(stored.token)
      return { id, brand: stored.card?.brand ?? '', credential, passedOver, ...sources }
    }
    reason = stored ? 'CARD_EXPIRED' : 'CARD_REMOVED'
  }
  return { reason, lookedAt }
}

async function sourcesOf(
  networkTokens: Sources['networkTokens'],
  sellerId: number,
  stored: StoredCard,
  isGood: boolean,
): Promise<Pick<ChargedCard, 'source' | 'spare'> | undefined> {
  const spare = isGood ? { cardToken: stored.token } : undefined
  try {
    const networkToken = await networkTokens.findOfCard(sellerId, stored.token)
    if (networkToken) return { source: { networkToken }, ...(spare ? { spare } : {}) }
  } catch (error) {
    // Without its token the card can still be charged, unless it has expired for good.
    if (!spare || !(error instanceof DomainError) || error.kind !== 'unavailable') throw error
  }
  return spare && { source: spare }
}

/** A card is good until the last day of its month. */
function isExpired(card: StoredCard['card'], at: number): boolean {
  const { expirationYear = 0, expirationMonth = 0 } = card ?? {}
  return `${expirationYear}-${String(expirationMonth).padStart(2, '0')}` < dayOf(at).slice(0, 7)
}
