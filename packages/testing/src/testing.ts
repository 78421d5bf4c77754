import { createHash, randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { createAuthority, type Authority } from './certificates'
import { migrate } from '@cofre/platform/postgres/migrate'
import { createPool, type Pool } from '@cofre/platform/postgres/postgres'
import type { Tls } from '@cofre/platform/grpc/tls'

/** The PostgreSQL that the test run started (test/start-postgres.ts). */
function serverUrl(): URL {
  const url = process.env.TEST_DATABASE_URL
  if (!url) throw new Error('TEST_DATABASE_URL is missing: run the tests through npm test')
  return new URL(url)
}

/** Options of a pool: the database of a busy machine answers late, and no test is about that. */
export const PATIENT = { timeoutMs: 100_000 }

export type TestDatabase = { url: string; pool: Pool; drop(): Promise<void> }

/** A fresh, migrated database for one test or file. Tests never share one and never clean one. No folder: no tables. */
export async function createTestDatabase(migrationsDir?: string): Promise<TestDatabase> {
  const url = serverUrl()
  const admin = new Client({ connectionString: url.href })
  await admin.connect()
  const name = `test_${randomBytes(6).toString('hex')}`
  const template = migrationsDir ? await migratedTemplate(admin, migrationsDir) : 'template1'
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`)
  url.pathname = name
  const pool = createPool({ url: url.href, max: 10, name: 'test', ...PATIENT }, () => {})
  const drop = async () => {
    if (!pool.ended) await pool.end()
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.end()
  }
  return { url: url.href, pool, drop }
}

/** The template of a database: migrated once for all the files of a test run, which take turns here. */
async function migratedTemplate(admin: Client, migrationsDir: string): Promise<string> {
  const name = `migrated_${createHash('sha256').update(migrationsDir).digest('hex').slice(0, 12)}`
  await admin.query('SELECT pg_advisory_lock(hashtext($1))', [name])
  try {
    const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 0) await makeTemplate(admin, name, migrationsDir)
  } finally {
    await admin.query('SELECT pg_advisory_unlock_all()')
  }
  return name
}

/** Migrates under another name, so that a template is whole or missing. */
async function makeTemplate(admin: Client, name: string, migrationsDir: string): Promise<void> {
  const unfinished = `${name}_unfinished`
  const url = serverUrl()
  url.pathname = unfinished
  await admin.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`)
  await admin.query(`CREATE DATABASE ${unfinished}`)
  const pool = createPool({ url: url.href, max: 1, name: 'test', ...PATIENT }, () => {})
  try {
    await migrate(pool, migrationsDir)
  } finally {
    await pool.end()
  }
  // The migration's session may still be ending; a database is renamed, and copied, only without sessions.
  await admin.query('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1', [
    unfinished,
  ])
  await admin.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`)
}

/**
 * Moves `now()` ahead by `by`, such as `5 minutes`, for all later connections to this database. Defaults of columns
 * keep the true time.
 */
export async function shiftDatabaseClock(pool: Pool, by: string): Promise<void> {
  await pool.query('CREATE SCHEMA shifted')
  await pool.query(`CREATE FUNCTION shifted.now() RETURNS timestamptz STABLE LANGUAGE sql
    RETURN pg_catalog.now() + interval '${by}'`)
  // PostgreSQL searches the schemas in this order, when pg_catalog is named.
  await pool.query(`DO $$ BEGIN EXECUTE format(
    'ALTER DATABASE %I SET search_path = shifted, public, pg_catalog', current_database()); END $$`)
}

/** Certificates for the services of one test, from an authority of its own. */
export async function createTestTls(): Promise<{ authority: Authority; tlsFor(name: string): Promise<Tls> }> {
  const authority = await createAuthority()
  const tlsFor = async (name: string) => ({ ca: authority.cert, ...(await authority.issue(name)) })
  return { authority, tlsFor }
}

/**
 * Waits for a condition, never for a time. Throws the last error of `check` when it does not hold in time. Rests as
 * long as a check takes: on a busy machine, the awaited work needs that time more.
 */
export async function eventually<T>(check: () => Promise<T> | T, timeoutMs = 180_000): Promise<T> {
  const until = Date.now() + timeoutMs
  for (;;) {
    const began = Date.now()
    try {
      return await check()
    } catch (error) {
      if (Date.now() > until) throw error
      await restAfter(began, 20)
    }
  }
}

/** Rests as long as something took since `began`, at least `leastMs`, so that a slow machine is asked less often. */
export async function restAfter(began: number, leastMs: number): Promise<void> {
  const restMs = Math.max(leastMs, Date.now() - began)
  await new Promise((resolve) => setTimeout(resolve, restMs))
}
