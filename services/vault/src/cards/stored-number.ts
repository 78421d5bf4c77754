import { openSecret, sealSecret } from '@cofre/platform/secret-box'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { shownCard, type Card, type ShownCard } from './card'
import { findSealedNumber, type CardReference, type NewCard, type SealedNumber } from './card-store'
import type { DataKey } from '../keys/data-key'
import type { KeyRing } from '../keys/key-ring'
import { openStored } from '../keys/stored-secret'
import { Pan } from './pan'

/** A new row for a card, the number sealed under the current key. The CVV stays behind. */
export function newStoredCard(keys: KeyRing, sellerId: number, token: string, card: Card): NewCard {
  return {
    sellerId,
    token,
    ...sealNumber(keys.current('card'), { sellerId, token }, card.number),
    card: shownCard(card.number, card.holderName, card.expiration),
  }
}

/** The same number under another key. */
export async function resealNumber(keys: KeyRing, key: DataKey, stored: SealedNumber): Promise<SealedNumber> {
  const oldKey = await keys.find(stored.dataKeyId)
  if (!oldKey) throw new Error('the key of a stored number is destroyed')
  return { ...stored, ...sealNumber(key, stored, openNumber(oldKey, stored)) }
}

/** A stored card in the open; undefined when it is deleted or another seller's. */
export async function revealCard(
  pool: Pool,
  keys: KeyRing,
  sellerId: number,
  reference: CardReference,
): Promise<Card | undefined> {
  return openStored(keys, 'a stored number', () => findSealedNumber(pool, sellerId, reference), openCard)
}

/** A row with its number in the open. */
export function openCard(key: DataKey, stored: SealedNumber & ShownCard): Card {
  const { holderName, expirationYear: year, expirationMonth: month } = stored
  return { number: openNumber(key, stored), holderName, expiration: { year, month } }
}

type Row = { sellerId: number; token: string }

function sealNumber(key: DataKey, row: Row, number: Pan): { sealedNumber: Buffer; dataKeyId: string } {
  return { sealedNumber: sealSecret(key.bytes, number.reveal(), contextOf(row)), dataKeyId: key.id }
}

export function openNumber(key: DataKey, stored: SealedNumber): Pan {
  return new Pan(openSecret(key.bytes, stored.sealedNumber, contextOf(stored)).toString())
}

/** A ciphertext copied to another seller's or another token's row does not open there. */
function contextOf({ sellerId, token }: Row): string {
  return `${sellerId}:${token}`
}
