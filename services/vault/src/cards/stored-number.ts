import { issuerOf, type Issuer } from '@cofre/platform/card/card-brand'
import { openSecret, sealSecret } from '@cofre/platform/secret-box'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { shownCard, type Card, type ShownCard } from './card'
import { findSealedNumber, type CardReference, type NewCard, type SealedNumber } from './card-store'
import type { DataKey } from '../keys/data-key'
import type { KeyRing } from '../keys/key-ring'
import { openStored } from '../keys/stored-secret'
import { Pan } from './pan'

/** Makes a new row for a card: its number sealed under the current key, without the CVV. */
export function newStoredCard(
  keys: KeyRing,
  sellerId: number,
  token: string,
  card: Card,
  issuedBy: (digits: string) => Issuer | undefined = issuerOf,
): NewCard {
  return {
    sellerId,
    token,
    ...sealNumber(keys.current('card'), { sellerId, token }, card.number),
    card: shownCard(card, issuedBy(card.number.reveal()), card.expiration),
  }
}

/** Seals the same number under another key. */
export async function resealNumber(keys: KeyRing, key: DataKey, stored: SealedNumber): Promise<SealedNumber> {
  const oldKey = await keys.find(stored.dataKeyId)
  if (!oldKey) throw new Error('the key of a stored number is destroyed')
  return { ...stored, ...sealNumber(key, stored, openNumber(oldKey, stored)) }
}

/** Returns a stored card with its number unsealed; undefined when it is deleted or another seller's. */
export async function revealCard(
  pool: Pool,
  keys: KeyRing,
  sellerId: number,
  reference: CardReference,
): Promise<Card | undefined> {
  return openStored(keys, 'a stored number', () => findSealedNumber(pool, sellerId, reference), openCard)
}

/** Returns a row's card with its number unsealed. */
export function openCard(key: DataKey, stored: SealedNumber & ShownCard): Card {
  const { holderName, token, expirationYear: year, expirationMonth: month } = stored
  return { number: openNumber(key, stored), holderName, expiration: { year, month }, storedAs: token }
}

type Row = { sellerId: number; token: string }

function sealNumber(key: DataKey, row: Row, number: Pan): { sealedNumber: Buffer; dataKeyId: string } {
  return { sealedNumber: sealSecret(key.bytes, number.reveal(), contextOf(row)), dataKeyId: key.id }
}

export function openNumber(key: DataKey, stored: SealedNumber): Pan {
  return new Pan(openSecret(key.bytes, stored.sealedNumber, contextOf(stored)).toString())
}

/** Binds a ciphertext to its row: it does not open in the row of another seller or token. */
function contextOf({ sellerId, token }: Row): string {
  return `${sellerId}:${token}`
}
