import { join } from 'node:path'
import type { Pool } from './postgres'

/** Tables that every service has: outbox, inbox, idempotency. */
const PLATFORM_MIGRATIONS = join(__dirname, '../migrations')

/**
 * Applies the numbered SQL files not applied yet, the platform's before the service's own, each set all or none.
 * Any number of processes may start at once: they take turns.
 */
export async function migrate(pool: Pool, dir: string): Promise<void> {
  const { runner } = await import('node-pg-migrate')
  const client = await pool.connect()
  try {
    await client.query("SELECT pg_advisory_lock(hashtext('migrations'))")
    await client.query('SET statement_timeout = 0')
    const sets = [
      { dir: PLATFORM_MIGRATIONS, migrationsTable: 'platform_migrations' },
      { dir, migrationsTable: 'service_migrations' },
    ]
    for (const set of sets) {
      await runner({
        dbClient: client,
        direction: 'up',
        noLock: true,
        log: () => {},
        singleTransaction: true,
        ...set,
      })
    }
  } finally {
    // Ends the session, and with it the lock.
    client.release(true)
  }
}
