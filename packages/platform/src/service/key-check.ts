import { keepKeyCheck } from '../postgres/key-check-store'
import type { Pool } from '../postgres/postgres'
import { openSecret, sealSecret } from '../secret-box'

/**
 * Throws unless the key is the one with which the service was first started on this database: with another it would open
 * nothing that it sealed, and seal what the right one can't open. `name`: the key's, as the setting names it.
 */
export async function checkKey(pool: Pool, name: string, key: Uint8Array): Promise<void> {
  const context = `key check of ${name}`
  const kept = await keepKeyCheck(pool, name, sealSecret(key, name, context))
  try {
    openSecret(key, kept, context)
  } catch {
    throw new Error(`${name} is not the key with which this service sealed what its database holds`)
  }
}
