import { databaseNow } from '../service/database-clock'
import { leaseLooks, type LookedAt } from '../postgres/lease'
import type { Pool } from '../postgres/postgres'

const BATCH_SIZE = 20
/** The wait after a look without a clear answer. */
const SOON_MS = 600_000

/** Looks again at rows of a table whose end a partner has yet to confirm. `look` never fails. Returns how many. */
export async function lookAgainAt(
  pool: Pool,
  table: string,
  look: (key: LookedAt) => Promise<void>,
): Promise<number> {
  const keys = await leaseLooks(pool, table, { at: databaseNow(), againMs: SOON_MS, batch: BATCH_SIZE })
  await Promise.all(keys.map(look))
  return keys.length
}
