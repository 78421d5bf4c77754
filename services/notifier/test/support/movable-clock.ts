import type { Pool } from '@cofre/platform/postgres/postgres'

export type MovableClock = { advance(seconds: number): Promise<void> }

/**
 * From here on every session of the database reads `now()` from a clock that a test moves. Open sessions are ended, and
 * the pool connects again. The defaults of columns keep the true time.
 */
export async function startMovableClock(pool: Pool): Promise<MovableClock> {
  await pool.query(`CREATE SCHEMA shifted
    CREATE TABLE clock (ahead interval NOT NULL)`)
  await pool.query("INSERT INTO shifted.clock VALUES ('0')")
  await pool.query(`CREATE FUNCTION shifted.now() RETURNS timestamptz STABLE LANGUAGE sql
    RETURN pg_catalog.now() + (SELECT ahead FROM shifted.clock)`)
  // PostgreSQL searches in this order, since pg_catalog is named.
  await pool.query(`DO $$ BEGIN EXECUTE format(
    'ALTER DATABASE %I SET search_path = shifted, public, pg_catalog', current_database()); END $$`)
  await pool.query(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`)
  const session = await pool.connect()
  session.release(true)
  return {
    advance: async (seconds) => {
      await pool.query("UPDATE shifted.clock SET ahead = ahead + $1::int * interval '1 second'", [seconds])
    },
  }
}
