import { createHash } from 'node:crypto'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Card, NetworkNumber } from './card'
import { DATA_KEY_CONSTRAINT } from './card-store'
import type { Expiration } from '../body/expiration'
import type { KeyRing } from '../keys/key-ring'
import { withCurrentKey } from '../keys/stored-secret'
import {
  deleteTokenNumbers,
  findTokenNumbers,
  insertTokenCard,
  keepForGood,
  saveTokenNumber,
  type SealedTokenNumber,
} from './network-token-store'
import type { Pan } from './pan'
import { newStoredCard, openNumber } from './stored-number'

/** Where the numbers of network tokens are kept: the vault's own database and keys. */
export type TokenNumbers = { pool: Pool; keys: KeyRing }

/** The names of a token's two rows. They are hashes of the token, so the token itself never names a card. */
function rowsOf(networkToken: string): { card: string; number: string } {
  const derive = (what: string) =>
    createHash('sha256').update(`network token ${what}:${networkToken}`).digest('hex')
  return { card: derive('card'), number: derive('number') }
}

/** Keeps the card behind a network token, without its CVV. */
export async function keepTokenCard(
  { pool, keys }: TokenNumbers,
  sellerId: number,
  networkToken: string,
  card: Card,
): Promise<void> {
  const { card: token } = rowsOf(networkToken)
  await withCurrentKey(keys, DATA_KEY_CONSTRAINT, () =>
    insertTokenCard(pool, newStoredCard(keys, sellerId, token, card)),
  )
}

/**
 * Keeps the number and the expiration that the network gave. All other card data stays that of the card. Returns false
 * when the token was destroyed meanwhile.
 */
export async function keepTokenNumber(
  { pool, keys }: TokenNumbers,
  sellerId: number,
  networkToken: string,
  given: { number: Pan; expiration: Expiration },
): Promise<boolean> {
  const rows = rowsOf(networkToken)
  const card = { ...given, holderName: '' }
  return withCurrentKey(keys, DATA_KEY_CONSTRAINT, () =>
    saveTokenNumber(pool, newStoredCard(keys, sellerId, rows.number, card), rows.card),
  )
}

/** Returns the card behind a network token, with the network's number once there is one; undefined when destroyed. */
export async function revealNetworkToken(
  { pool, keys }: TokenNumbers,
  sellerId: number,
  networkToken: string,
): Promise<Card | undefined> {
  const names = rowsOf(networkToken)
  // A rotation may destroy a row's key after the row was read; the row then has a newer key.
  for (let attempt = 1; attempt <= 3; attempt++) {
    const rows = await findTokenNumbers(pool, sellerId, [names.card, names.number])
    const card = rows.find(({ kind }) => kind === 'token_card')
    if (!card) return undefined
    const number = rows.find(({ kind }) => kind === 'token_number')
    const opened = await Promise.all([card, ...(number ? [number] : [])].map((row) => openRow(keys, row)))
    const [ofCard, ofToken] = opened
    if (!ofCard || (number && !ofToken)) continue
    return { ...ofCard, holderName: card.holderName, ...(ofToken ? { token: ofToken } : {}) }
  }
  throw new Error('the key of a stored number is not there')
}

/** Marks a network token as used, so that its card stays. */
export async function useNetworkToken(
  { pool }: TokenNumbers,
  sellerId: number,
  token: string,
): Promise<void> {
  await keepForGood(pool, sellerId, rowsOf(token).card)
}

export async function destroyNetworkToken(pool: Pool, sellerId: number, token: string): Promise<void> {
  await deleteTokenNumbers(pool, sellerId, rowsOf(token))
}

async function openRow(keys: KeyRing, row: SealedTokenNumber): Promise<NetworkNumber | undefined> {
  const key = await keys.find(row.dataKeyId)
  const expiration = { year: row.expirationYear, month: row.expirationMonth }
  return key && { number: openNumber(key, row), expiration }
}
