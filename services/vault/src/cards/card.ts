import type { Issuer } from '@cofre/platform/card/card-brand'
import type { Cryptogram } from './cryptogram'
import type { Cvv } from './cvv'
import type { Expiration } from '../body/expiration'
import type { Pan } from './pan'

/** A card with its number unsealed; it lives as long as one call. */
export type Card = {
  number: Pan
  holderName: string
  expiration: Expiration
  cvv?: Cvv
  token?: NetworkNumber
  /** The token under which the card is stored. */
  storedAs?: string
}

/** The number that the network gave in place of a card's, with its own expiration, and a cryptogram for one payment. */
export type NetworkNumber = { number: Pan; expiration: Expiration; cryptogram?: Cryptogram }

/** The part of a card that may be shown (PCI DSS 3.4). `brand` is empty when no brand is known for the number. */
export type ShownCard = {
  bin: string
  lastFour: string
  brand: string
  /** Other brands may have issued the number too. It is not stored: the brand is looked up at each reading. */
  brandIsGuess?: boolean
  expirationYear: number
  expirationMonth: number
  holderName: string
}

/** A stored card without its number. */
export type StoredCard = { id: number; token: string; card: ShownCard; createdAt: number }

/** Returns the part of a card that may be shown. Without a readable `expiration`, year and month are 0. */
export function shownCard(
  { number, holderName }: Pick<Card, 'number' | 'holderName'>,
  issuer: Issuer | undefined,
  expiration?: Expiration,
): ShownCard {
  return {
    bin: number.bin,
    lastFour: number.lastFour,
    brand: issuer?.brand ?? '',
    ...(issuer?.isGuess ? { brandIsGuess: true } : {}),
    expirationYear: expiration?.year ?? 0,
    expirationMonth: expiration?.month ?? 0,
    holderName,
  }
}
