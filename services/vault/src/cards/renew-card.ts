import { issuerIn } from '../bins/bin-table'
import type { Deps } from '../deps'
import { withCurrentKey } from '../keys/stored-secret'
import type { Card } from './card'
import { DATA_KEY_CONSTRAINT, replaceNumber } from './card-store'
import { newStoredCard } from './stored-number'

/**
 * Gives a stored card the number and expiry that its issuer has replaced it with. Its id and token stay. Returns false
 * when the card is not stored, was deleted meanwhile, or the new number belongs to no supported brand.
 */
export async function renewCard(
  { pool, keys, bins, log }: Pick<Deps, 'pool' | 'keys' | 'bins' | 'log'>,
  sellerId: number,
  card: Card,
): Promise<boolean> {
  const { storedAs } = card
  if (storedAs === undefined) return false
  const table = await bins.table()
  const isRenewed = await withCurrentKey(keys, DATA_KEY_CONSTRAINT, async () => {
    const made = newStoredCard(keys, sellerId, storedAs, card, (digits) => issuerIn(table, digits))
    return made.card.brand !== '' && (await replaceNumber(pool, made))
  })
  if (isRenewed) log.info({ sellerId, lastFour: card.number.lastFour }, 'card renewed by its issuer')
  return isRenewed
}
