import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { z } from 'zod'
import { createPool, untilDatabaseAnswers, type Pool } from './postgres'
import { readSettings, serviceSettings } from '../service/settings'

/** A file here is named by the table that it makes or changes: `001_outbox.sql`. */
const PLATFORM_MIGRATIONS = join(__dirname, '../../migrations')
/** In the folder of a service: the tables of the platform that the service uses. */
const TABLES_FILE = 'platform-tables.json'

const platformTables = z.array(z.enum(['outbox', 'inbox', 'idempotency', 'history']))

/**
 * Applies the numbered SQL files not applied yet: those of the platform's tables that the service uses, then the service's
 * own, each set all or none. Any number of processes may start at once: they take turns. A table that a service no longer
 * uses stays in its database, for replicas of the version before.
 */
export async function migrate(pool: Pool, dir: string): Promise<void> {
  const { runner } = await import('node-pg-migrate')
  // A session of its own: a migration, and the wait for another process's, may take as long as they need.
  const client = new Client({ ...pool.options, statement_timeout: false, query_timeout: undefined })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query("SELECT pg_advisory_lock(hashtext('migrations'))")
    const tables = platformTables.parse(JSON.parse(await readFile(join(dir, TABLES_FILE), 'utf8')))
    const ofOtherTables = `(?!\\d+_(${tables.join('|')})[._]).*`
    const sets = [
      // A service may come to use a table whose number is below those that it has.
      {
        dir: PLATFORM_MIGRATIONS,
        migrationsTable: 'platform_migrations',
        ignorePattern: ofOtherTables,
        checkOrder: false,
      },
      { dir, migrationsTable: 'service_migrations', ignorePattern: TABLES_FILE },
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
    await client.end()
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
