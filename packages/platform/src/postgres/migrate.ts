import { readFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { z } from 'zod'
import { createPool, untilDatabaseAnswers, type Pool } from './postgres'
import { readSettings, serviceSettings } from '../service/settings'
import { within } from '../within'

/** Each file here is named after the table that it makes or changes: `001_outbox.sql`. */
const PLATFORM_MIGRATIONS = join(__dirname, '../../migrations')
/** In the folder of a service: the tables of the platform that the service uses. */
const TABLES_FILE = 'platform-tables.json'

const platformTables = z.array(
  z.enum(['outbox', 'inbox', 'idempotency', 'history', 'day_sums', 'key_checks']),
)

/** As long as the chart gives the Job of a migration. It bounds the wait for a table in use, and for a database that falls silent. */
const LIMIT_MS = 600_000
const KEEP_ALIVE_MS = 10_000
/** A statement waits so long for a lock, and callers behind it: then it lets them pass, and tries again. */
const LOCK_MS = 1_000
const PAUSE_MS = 2_000
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Applies the numbered SQL files that are not applied yet, each in a transaction of its own. Those of the platform's
 * tables that the service uses come first, then the service's own. Processes that start together take turns. A table
 * that a service no longer uses stays, for replicas of the version before. A file that would wait for a long reader steps
 * back and tries again, so that callers don't queue behind it. Throws when all of it takes longer than `limitMs`.
 */
export async function migrate(pool: Pool, dir: string, limitMs = LIMIT_MS): Promise<void> {
  const socket = new Socket()
  // A session of its own: a statement, and the wait for another process, may take as long as they need.
  const client = new Client({
    ...pool.options,
    statement_timeout: false,
    query_timeout: undefined,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    stream: () => socket,
  })
  client.on('error', () => {})
  try {
    await within(limitMs, inSession(client, dir), 'the migrations took too long')
  } finally {
    // An orderly end would wait for the database's answer.
    socket.destroy()
  }
}

async function inSession(client: Client, dir: string): Promise<void> {
  await client.connect()
  try {
    await client.query("SELECT pg_advisory_lock(hashtext('migrations'))")
    await client.query(`SET lock_timeout = ${LOCK_MS}`)
    while (!(await applyFiles(client, dir))) await pause(PAUSE_MS)
  } finally {
    // Ends the session, and with it the lock.
    await client.end()
  }
}

/** False when a table was in use for too long: what is left is to be tried again. */
async function applyFiles(client: Client, dir: string): Promise<boolean> {
  const { runner } = await import('node-pg-migrate')
  const tables = platformTables.parse(JSON.parse(await readFile(join(dir, TABLES_FILE), 'utf8')))
  const ofOtherTables = `(?!\\d+_(${tables.join('|')})[._]).*`
  const sets = [
    // A service may start to use a table whose number is below those that it has.
    {
      dir: PLATFORM_MIGRATIONS,
      migrationsTable: 'platform_migrations',
      ignorePattern: ofOtherTables,
      checkOrder: false,
    },
    { dir, migrationsTable: 'service_migrations', ignorePattern: TABLES_FILE },
  ]
  try {
    for (const set of sets) {
      await runner({
        dbClient: client,
        direction: 'up',
        noLock: true,
        log: () => {},
        singleTransaction: false,
        ...set,
      })
    }
    return true
  } catch (error) {
    await client.query('ROLLBACK')
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return false
    throw error
  }
}

/**
 * Runs a service's `main.js migrate`, before a new version starts. It gets the database and nothing else: neither keys
 * nor certificates.
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
