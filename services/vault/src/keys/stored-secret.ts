import { breaches } from '@cofre/platform/postgres/postgres'
import type { DataKey } from './data-key'
import type { KeyRing } from './key-ring'

/** Writes what is sealed under the current key. `constraint`: its breach says that the key was destroyed meanwhile. */
export async function withCurrentKey<T>(
  keys: KeyRing,
  constraint: string,
  write: () => Promise<T>,
): Promise<T> {
  return write().catch(async (error: unknown) => {
    if (!breaches(error, constraint)) throw error
    // Another process rotated the keys and destroyed the one that we knew as current.
    await keys.reload()
    return write()
  })
}

/** What a row holds, in the open; undefined when there is no row. `what`: the name of a row without a key, in the error. */
export async function openStored<Row extends { dataKeyId: string }, T>(
  keys: KeyRing,
  what: string,
  find: () => Promise<Row | undefined>,
  open: (key: DataKey, row: Row) => T,
): Promise<T | undefined> {
  // A rotation may destroy the key between reading the row and looking for it; the row then has a newer one.
  for (let attempt = 1; attempt <= 3; attempt++) {
    const row = await find()
    if (!row) return undefined
    const key = await keys.find(row.dataKeyId)
    if (key) return open(key, row)
  }
  throw new Error(`the key of ${what} is not there`)
}
