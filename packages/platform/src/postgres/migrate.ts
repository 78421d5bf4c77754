import { join } from 'node:path'
import { createPool, untilDatabaseAnswers, type Pool } from './postgres'
import { readSettings, serviceSettings } from '../service/settings'

/** Tables that every service has: outbox, inbox, idempotency. */
const PLATFORM_MIGRATIONS = join(__dirname, '../../migrations')

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

/**
 * What a service's `main.js migrate` does, before a new version starts. It is given the database and nothing else:
 * neither keys nor certificates.
 */
export async function migrateAlone(name: string, dir: string): Promise<void> {
  const { DATABASE_URL } = serviceSettings
  const pool = createPool({ url: readSettings({ DATABASE_URL }).databaseUrl, max: 1, name }, () => {})
  try {
    await untilDatabaseAnswers(pool)
    await migrate(pool, dir)
  } finally {
    await pool.end()
  }
}
