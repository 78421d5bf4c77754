import type { Pool } from '@cofre/platform/postgres/postgres'
import { LRUCache } from 'lru-cache'
import { listBins } from './bin-store'
import { binTable, NO_ROWS, type BinTable } from './bin-table'

/** The operator's rows. They go to every page that shows a brand, so they are few. */
export const BINS_MAX = 1_000

/** How long the table stays in memory, and so how long a changed row is not seen by other replicas. */
const KEPT_MS = 1_000

export type Bins = {
  /** Reads the rows once a second at most. Without the database the last ones stay. */
  table(): Promise<BinTable>
  /** Reads the rows that this replica itself has changed. */
  reload(): Promise<void>
}

/** Opens the table, after a first reading. */
export async function openBins(pool: Pool): Promise<Bins> {
  const kept = new LRUCache<'rows', BinTable>({
    max: 1,
    ttl: KEPT_MS,
    // A card is taken without the database, and the list of the program knows most brands.
    allowStaleOnFetchRejection: true,
    noDeleteOnFetchRejection: true,
    ignoreFetchAbort: true,
    fetchMethod: async () => binTable(await listBins(pool, BINS_MAX)),
  })
  const read = async (again: boolean) => (await kept.fetch('rows', { forceRefresh: again })) ?? NO_ROWS
  await read(true)
  return {
    table: () => read(false),
    reload: async () => void (await read(true)),
  }
}
