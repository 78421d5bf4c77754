import type { Client } from 'pg'

/** What PostgreSQL has done so far for all services. A statement is a round trip: BEGIN and COMMIT count. */
export type DatabaseWork = { statements: number; fsyncs: number; walKib: number }

export async function readWork(admin: Client): Promise<DatabaseWork> {
  const { rows } = await admin.query<DatabaseWork>(WORK)
  return rows[0] as DatabaseWork
}

/** Returns the work per call between two readings, less what `idle` does in as many seconds. */
export function workBetween(
  earlier: DatabaseWork,
  later: DatabaseWork,
  { calls, seconds, idle }: { calls: number; seconds: number; idle: DatabaseWork },
): DatabaseWork {
  const each = (name: keyof DatabaseWork) => (later[name] - earlier[name] - idle[name] * seconds) / calls
  return { statements: each('statements'), fsyncs: each('fsyncs'), walKib: each('walKib') }
}

export const NO_WORK: DatabaseWork = { statements: 0, fsyncs: 0, walKib: 0 }

// A backend reports its fsyncs within a second or so: over some rounds that evens out.
const WORK = `
  SELECT (SELECT coalesce(sum(calls), 0)::float8 FROM pg_stat_statements
      JOIN pg_database AS d ON d.oid = dbid WHERE d.datname <> 'postgres') AS statements,
    (SELECT coalesce(sum(fsyncs), 0)::float8 FROM pg_stat_io WHERE object = 'wal') AS fsyncs,
    ((pg_current_wal_lsn() - '0/0') / 1024)::float8 AS "walKib"`
