import { randomBytes } from 'node:crypto'
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

export type TestDatabase = { url: string; pool: Pool; drop(): Promise<void> }

/** A fresh, migrated database for one test file. Tests never share one and never clean one. No folder: left empty. */
export async function createTestDatabase(migrationsDir?: string): Promise<TestDatabase> {
  const url = serverUrl()
  const admin = new Client({ connectionString: url.href })
  await admin.connect()
  const name = `test_${randomBytes(6).toString('hex')}`
  await admin.query(`CREATE DATABASE ${name}`)
  url.pathname = name
  const pool = createPool({ url: url.href, max: 10, name: 'test' }, () => {})
  if (migrationsDir) await migrate(pool, migrationsDir)
  const drop = async () => {
    if (!pool.ended) await pool.end()
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.end()
  }
  return { url: url.href, pool, drop }
}

/** Certificates for the services of one test, from an authority of its own. */
export async function createTestTls(): Promise<{ authority: Authority; tlsFor(name: string): Promise<Tls> }> {
  const authority = await createAuthority()
  const tlsFor = async (name: string) => ({ ca: authority.cert, ...(await authority.issue(name)) })
  return { authority, tlsFor }
}

/** Waits for a condition, never for a time. Throws what `check` last threw when it does not hold in time. */
export async function eventually<T>(check: () => Promise<T> | T, timeoutMs = 15_000): Promise<T> {
  const until = Date.now() + timeoutMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > until) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
