import type { Client } from 'pg'

/** Calls and total time of each statement, by database and text. */
export type Statements = Map<string, { database: string; text: string; calls: number; ms: number }>

/** Enables statement counts, which begin with the next start of the server. */
export async function countStatements(admin: Client): Promise<void> {
  await admin.query("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'")
  await admin.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
}

export async function readStatements(admin: Client): Promise<Statements> {
  const { rows } = await admin.query(
    `SELECT datname AS database, query AS text, sum(calls)::float8 AS calls, sum(total_exec_time) AS ms
     FROM pg_stat_statements JOIN pg_database AS d ON d.oid = dbid GROUP BY datname, query`,
  )
  return new Map(rows.map((row) => [`${row.database} ${row.text}`, row]))
}

/** Returns the statements that ran between two readings. */
export function between(earlier: Statements, later: Statements): Statements {
  const differences = [...later].map(([key, statement]) => {
    const before = earlier.get(key)
    const calls = statement.calls - (before?.calls ?? 0)
    return [key, { ...statement, calls, ms: statement.ms - (before?.ms ?? 0) }] as const
  })
  return new Map(differences.filter(([, { calls }]) => calls > 0))
}

export type StatementCost = { database: string; text: string; perRequest: number; meanMs: number }

/** Returns statements per request, without those that always run (`idle`), the most frequent first. */
export function perRequest(
  busy: { statements: Statements; requests: number; seconds: number },
  idle: { statements: Statements; seconds: number },
): StatementCost[] {
  const costs = [...busy.statements].map(([key, { database, text, calls, ms }]) => {
    const anyway = ((idle.statements.get(key)?.calls ?? 0) / idle.seconds) * busy.seconds
    return {
      database,
      text: text.replace(/\s+/g, ' ').trim(),
      perRequest: Math.max(0, calls - anyway) / busy.requests,
      meanMs: ms / calls,
    }
  })
  return costs
    .filter((cost) => cost.perRequest >= 0.01 && cost.database !== 'postgres')
    .sort((a, b) => b.perRequest - a.perRequest)
}
