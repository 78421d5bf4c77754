import { setTimeout as pause } from 'node:timers/promises'
import { Pool, types, type PoolClient } from 'pg'
import { currentCall } from '../grpc/call-context'
import { observe } from '../telemetry/metrics'
import { SpanKind, withSpan } from '../telemetry/spans'
import { preparingClient } from './prepare-repeated'

export type { Pool, PoolClient } from 'pg'

/** A pool, or the client of an open transaction. */
export type Db = Pick<PoolClient, 'query'>

// Amounts and times are bigint columns. Number holds any real value exactly. A value that it can't hold is a bug, and
// must throw.
types.setTypeParser(types.builtins.INT8, (text) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('int8 out of the safe range')
  return value
})

const POSTGRES = { 'db.system.name': 'postgresql' }

// A prepared statement is planned once, for any values. By default PostgreSQL plans our larger ones at every call: it
// guesses that a plan for these values wins back the planning. Measured, planning cost more than running.
const PLAN_ONCE = '-c plan_cache_mode=force_generic_plan'
// The plan may be made while a table is still empty, and serves until statistics come a minute later. An index must win
// even then. The value is also the cost of a random page read on the disks that databases use.
const INDEXES_WIN = '-c random_page_cost=1.1'

/** The share of a statement's time limit that may be spent waiting for a connection of the pool. */
const WAIT_SHARE = 0.6

type PoolOptions = {
  url: string
  max: number
  name: string
  timeoutMs?: number
}

/**
 * Opens a pool. `timeoutMs`: PostgreSQL ends a statement after this time (5 s without it), and its error may take as
 * long again to arrive. A server that is silent until then counts as gone, and its connection is closed. Otherwise a
 * query through a network that swallows packets would wait without end.
 */
export function createPool(options: PoolOptions, onIdleError: (error: Error) => void): Pool {
  const { timeoutMs = 5_000 } = options
  const pool = new Pool({
    Client: preparingClient(),
    connectionString: options.url,
    application_name: options.name,
    max: options.max,
    statement_timeout: timeoutMs,
    query_timeout: 2 * timeoutMs,
    options: `${PLAN_ONCE} ${INDEXES_WIN}`,
    connectionTimeoutMillis: WAIT_SHARE * timeoutMs,
    idleTimeoutMillis: 60_000,
  })
  // Without a listener, PostgreSQL closing an idle connection would crash the process.
  pool.on('error', onIdleError)
  // The same for a connection in use: the query that fails reports the error.
  pool.on('connect', (client) => client.on('error', () => {}))
  traceQueries(pool)
  observe('database_connections', 'Connections of the pool.', () => pool.totalCount, {
    pool: options.name,
  })
  observe('database_connections_waiting', 'Callers that wait for a connection.', () => pool.waitingCount, {
    pool: options.name,
  })
  return pool
}

const WRITES = /\b(INSERT|UPDATE|DELETE)\b/

/** Traces a lone statement as a span with its name, and a transaction as one span. No span holds the SQL text. */
function traceQueries(pool: Pool): void {
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>
  const traced = (...args: unknown[]) => {
    const [statement] = args as [{ name?: string; text: string } | string]
    const { name = 'query', text } = typeof statement === 'string' ? { text: statement } : statement
    return notifyAfter(pool, () => withSpan(name, SpanKind.CLIENT, POSTGRES, () => query(...args))).catch(
      (error) => {
        if (WRITES.test(text)) noteLostAnswer(error)
        throw error
      },
    )
  }
  pool.query = traced as Pool['query']
}

export function withTransaction<T>(pool: Pool, work: (tx: PoolClient) => Promise<T>): Promise<T> {
  return notifyAfter(pool, () =>
    withSpan('transaction', SpanKind.CLIENT, POSTGRES, () => inTransaction(pool, work)),
  )
}

const listeners = new WeakMap<Pool, () => void>()

/** Calls `listener` after each commit of a transaction or lone statement of the pool. A pool has one listener. */
export function afterCommits(pool: Pool, listener: () => void): void {
  listeners.set(pool, listener)
}

async function notifyAfter<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  const result = await work()
  listeners.get(pool)?.()
  return result
}

async function inTransaction<T>(pool: Pool, work: (tx: PoolClient) => Promise<T>): Promise<T> {
  const tx = await pool.connect()
  let broken: Error | undefined
  try {
    await tx.query('BEGIN')
    const result = await work(tx)
    await commit(tx)
    return result
  } catch (error) {
    // A client whose rollback fails is in an unknown state: destroy it, and report the first error. One whose server
    // only reads must be opened again: by then its address may lead to the server that writes.
    if (isUnanswered(error) || isReadOnly(error)) broken = error as Error
    else await tx.query('ROLLBACK').catch((rollbackError: Error) => (broken = rollbackError))
    throw error
  } finally {
    tx.release(broken)
  }
}

async function commit(tx: PoolClient): Promise<void> {
  try {
    await tx.query('COMMIT')
  } catch (error) {
    noteLostAnswer(error)
    throw error
  }
}

/**
 * Notes that a COMMIT or a lone write without an answer may have been done. A refused caller must then not learn that
 * nothing was done.
 */
function noteLostAnswer(error: unknown): void {
  const dispatch = currentCall()?.dispatch
  if (dispatch && isDatabaseDown(error) && !isUndone(error)) dispatch.begun = true
}

// Class 08: connection exceptions; 57P: the server stops or starts; 57014: it is too slow; 53: out of connections,
// disk or memory. Class 28 and 3D000: it lets us in no more. 25006: it only reads, as the old server after a failover.
const DOWN =
  /^(08...|57P0[1-5]|57014|53...|28...|3D000|25006|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|ETIMEDOUT)$/

const DOWN_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

/** True when an error means that PostgreSQL is not there, rather than that our SQL is wrong. */
export function isDatabaseDown(error: unknown): boolean {
  const { code, message } = factsOf(error)
  return DOWN.test(String(code)) || DOWN_MESSAGE.test(String(message)) || isUnanswered(error)
}

// There was no connection, or PostgreSQL itself ended the statement and undid it.
const UNDONE = /^(57014|57P03|53...|28...|3D000|25006|ECONNREFUSED|ENOTFOUND)$/
const UNDONE_MESSAGE =
  /^(timeout exceeded when trying to connect|Connection terminated due to connection timeout)/

/** True when a statement that failed surely had no effect. */
function isUndone(error: unknown): boolean {
  const { code, message } = factsOf(error)
  return UNDONE.test(String(code)) || UNDONE_MESSAGE.test(String(message))
}

/** True when a statement was given up because the server was silent: its connection can send nothing more. */
function isUnanswered(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout'
}

function isReadOnly(error: unknown): boolean {
  return factsOf(error).code === '25006'
}

/** Whether the server takes writes: after a failover, an old one only reads. Throws while it does not answer. */
export async function takesWrites(pool: Pick<Pool, 'query'>): Promise<boolean> {
  const readOnly = "SELECT current_setting('transaction_read_only') AS is_read_only"
  const { rows } = await pool.query<{ is_read_only: string }>(readOnly)
  return rows[0]?.is_read_only === 'off'
}

const LOOK_AGAIN_MS = 200

/**
 * Waits for a PostgreSQL that starts or recovers, so that a service started beside it need not be started again. Throws
 * its last error when the time is over, and at once an error that waiting does not mend.
 */
export async function untilDatabaseAnswers(pool: Pool, timeoutMs = 30_000): Promise<void> {
  const until = Date.now() + timeoutMs
  for (;;) {
    try {
      await pool.query('SELECT 1')
      return
    } catch (error) {
      if (!isDatabaseDown(error) || Date.now() > until) throw error
      await pause(LOOK_AGAIN_MS)
    }
  }
}

/**
 * Opens this many connections ahead. On a busy machine each takes long, and the first requests of a replica would wait
 * for all of theirs at once. A request that needs a failed one opens it again.
 */
export async function warmUp(pool: Pool, connections: number): Promise<void> {
  const opened = await Promise.allSettled(Array.from({ length: connections }, () => pool.connect()))
  for (const each of opened) if (each.status === 'fulfilled') each.value.release()
}

/** True when an error is the breach of a named constraint. */
export function breaches(error: unknown, constraint: string): boolean {
  return factsOf(error).constraint === constraint
}

function factsOf(error: unknown): { code?: unknown; message?: unknown; constraint?: unknown } {
  return typeof error === 'object' && error !== null ? error : {}
}
