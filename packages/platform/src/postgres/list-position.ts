import { unknownAfter } from '../list-page'
import { timeAt } from '../list-place'
import type { List, ListRequest } from './list-search'
import type { Pool } from './postgres'

/** The position of an entry in a list. Its time is text, because a Date has no microseconds. */
export type Position = { createdAt: string; id: number | string }

/**
 * The position that a page follows; undefined: the page follows none. A request that says its place needs no entry: it
 * may be gone. Throws for an unknown `after`.
 */
export async function positionBefore(
  pool: Pool,
  { table, sellerId }: Pick<List, 'table' | 'sellerId'>,
  { after: id, place }: ListRequest,
): Promise<Position | undefined> {
  if (id === undefined) return undefined
  if (place !== undefined) return { createdAt: timeAt(place), id }
  const { rows } = await pool.query<Position>(
    `SELECT created_at::text AS "createdAt", id FROM ${table} WHERE id = $1 AND seller_id = $2`,
    [id, sellerId],
  )
  if (!rows[0]) throw unknownAfter()
  return rows[0]
}
