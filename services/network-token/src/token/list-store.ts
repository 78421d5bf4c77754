import type { ListPage } from '@cofre/platform/list-page'
import { createdBetween, readList, type ListRequest } from '@cofre/platform/postgres/list-search'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { NetworkToken } from './network-token'
import { SELECT_LISTED, tokenOf, type SelectedToken } from './network-token-store'

export type TokenFilter = {
  sellerId: number
  /** Empty: any status. */
  statuses: NetworkToken['status'][]
  lastFour: string | undefined
  /** Epoch milliseconds, inclusive. */
  createdFrom: number | undefined
  createdTo: number | undefined
}

/** A page of a seller's tokens, newest first. Throws PAGE_TOO_DEEP. */
export async function listTokens(
  pool: Pool,
  { sellerId, statuses, lastFour, createdFrom, createdTo }: TokenFilter,
  request: ListRequest,
): Promise<ListPage<NetworkToken>> {
  const conditions = [['t.last_four = $', lastFour], ...createdBetween(createdFrom, createdTo)] as const
  const list = { table: 'listed_network_tokens', select: SELECT_LISTED, sellerId, conditions, statuses }
  const { entries, ...end } = await readList<SelectedToken>(pool, list, request)
  return { entries: entries.map(tokenOf), ...end }
}
