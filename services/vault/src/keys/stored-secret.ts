import { breaches } from '@cofre/platform/postgres/postgres'
import type { DataKey } from './data-key'
import type { KeyRing } from './key-ring'

/** Writes a secret sealed under the current key. A breach of `constraint` means that the key was destroyed. */
export async function withCurrentKey<T>(
  keys: KeyRing,
  constraint: string,
  write: () => Promise<T>,
): Promise<T> {
  return write().catch(async (error: unknown) => {
    if (!breaches(error, constraint)) throw error
    // Another process rotated the keys and destroyed the one that was current here.
    await keys.reload()
    return write()
  })
}

/** Finds a row and opens its secret; undefined without a row. `what`: the row's name in the error for a missing key. */
export async function openStored<Row extends { dataKeyId: string }, T>(
  keys: KeyRing,
  what: string,
  find: () => Promise<Row | undefined>,
  open: (key: DataKey, row: Row) => T,
): Promise<T | undefined> {
  // A rotation may destroy a row's key after the row was read; the row then has a newer key.
  for (let attempt = 1; attempt <= 3; attempt++) {
    const row = await find()
    if (!row) return undefined
    const key = await keys.find(row.dataKeyId)
    if (key) return open(key, row)
  }
  throw new Error(`the key of ${what} is not there`)
}
