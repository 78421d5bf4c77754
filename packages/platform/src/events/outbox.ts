import { currentCall, newTraceparent } from '../grpc/call-context'
import type { EventLog, LogEvent } from './event-log'
import { noteAppending, relayOf, type Relay } from './relay-wake'
import { observe } from '../telemetry/metrics'
import { valueIn, type NewRow, type Row } from '../postgres/columns'
import { withTransaction, type Pool, type PoolClient } from '../postgres/postgres'
import { repeat, type Loop } from '../service/lifecycle'
import { failSpan, isSampled, SpanKind, startSpan } from '../telemetry/spans'

/** An event as a service writes it. `value` is the proto3 JSON of a message of the service's events.proto. */
export type DomainEvent = { topic: string; key: string; type: string; sellerId: number; value: unknown }

const BATCH_SIZE = 200
/** A relay that finds more than this rests before its next look, so that many events share one publish. */
const FEW = 4

/**
 * The SQL that appends events in the same statement as the change: `parameter` is the placeholder of
 * `outboxRows(events)`; `when` is a condition that must hold, such as `EXISTS (SELECT FROM saved)`. `value`: SQL of
 * the text of an event, for a statement that completes the column `value` itself.
 */
export function appendToOutbox(parameter: string, when: string, value = 'value'): string {
  return `INSERT INTO outbox (topic, key, type, seller_id, traceparent, value)
    SELECT topic, key, type, seller_id, traceparent, ${value}
    FROM jsonb_to_recordset(${parameter}::jsonb)
      AS e(position int, topic text, key text, type text, seller_id bigint, traceparent text, value text)
    WHERE ${when} ORDER BY position`
}

/** SQL that does the same for one event, of which each value is a parameter: a row of `outboxRowsOf`. */
export function appendOneToOutbox(row: NewRow, when: string): string {
  const columns = ['topic', 'key', 'type', 'seller_id', 'traceparent', 'value']
  const values = columns.map((column) => valueIn(row, column))
  return `INSERT INTO outbox (${columns.join(', ')}) SELECT ${values.join(', ')} WHERE ${when}`
}

/** The parameter for `appendToOutbox`. */
export function outboxRows(events: readonly DomainEvent[]): string {
  return JSON.stringify(outboxRowsOf(events))
}

/** The rows of events that the current request is about to commit. */
export function outboxRowsOf(events: readonly DomainEvent[]): Row[] {
  if (events.length > 0) noteAppending()
  const traceparent = currentCall()?.traceparent ?? newTraceparent()
  return events.map(({ topic, key, type, sellerId, value }, position) => {
    return { position, topic, key, type, seller_id: sellerId, traceparent, value: JSON.stringify(value) }
  })
}

/** After many events. The next ones come soon, and share a publish. */
const BUSY_REST_MS = 100
/** After few events, or after a commit that another relay was ahead of: its event may still wait. */
const REST_MS = 50
/** After nothing. Commits of this process end the rest: only what a killed process or a lost wake left waits for a look. */
const IDLE_REST_MS = 200

/** Publishes the events of a pool's outbox until stopped. The README of the events says how long one waits at most. */
export function startRelay(pool: Pool, log: EventLog, onError: (error: unknown) => void): Loop {
  return repeat(
    () => relayOutbox(pool, log),
    () => relayRestMs(pool),
    onError,
  )
}

/** How long the relay of a pool rests after its last look. */
export function relayRestMs(pool: Pool): number {
  const { isBusy, isIdle } = relayOf(pool)
  if (isBusy) return BUSY_REST_MS
  return isIdle ? IDLE_REST_MS : REST_MS
}

type OutboxRow = LogEvent & { rowId: number; topic: string }

// Takes no row while another relay holds the lock. The rows come in no order.
const TAKE_OUTBOX = `
  DELETE FROM outbox WHERE id = ANY(ARRAY(SELECT id FROM outbox ORDER BY id LIMIT $1))
    AND (SELECT pg_try_advisory_xact_lock(hashtext('outbox')))
  RETURNING id AS "rowId", topic, event_id AS id, type, key, seller_id AS "sellerId", traceparent, value`

/**
 * Publishes the oldest events and deletes them. Returns 0 unless a whole batch was waiting, so that a loop rests in
 * between and several events share one publish. A crash before the commit publishes the batch again, so consumers
 * drop event ids that they have seen. One relay runs at a time, which keeps the events of a key in order. This is the
 * one place that calls the network inside a transaction, because the lock must outlive the send. A commit of events in
 * this process wakes a loop around it; the loop's own look finds those of other processes.
 */
export async function relayOutbox(pool: Pool, log: EventLog): Promise<number> {
  const relay = relayOf(pool)
  try {
    const { isWoken } = relay
    relay.isWoken = false
    const isWaiting = isWoken || (await hasWaiting(pool))
    const published = isWaiting ? await withTransaction(pool, (tx) => publishOldest(tx, log, relay)) : 0
    if (published === 0) relay.isBusy = false
    relay.isIdle = !isWaiting
    return published === BATCH_SIZE ? BATCH_SIZE : 0
  } catch (error) {
    // After a failure, commits do not cut the rest short.
    relay.isBusy = true
    throw error
  }
}

async function hasWaiting(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query({ name: 'outbox-waiting', text: 'SELECT 1 FROM outbox LIMIT 1' })
  return rows.length > 0
}

async function publishOldest(tx: PoolClient, log: EventLog, relay: Relay): Promise<number> {
  const { rows } = await tx.query<OutboxRow>({
    name: 'take-outbox',
    text: TAKE_OUTBOX,
    values: [BATCH_SIZE],
  })
  relay.isBusy = rows.length > FEW
  rows.sort((one, other) => one.rowId - other.rowId)
  for (const topic of new Set(rows.map((row) => row.topic))) {
    await publishTraced(
      log,
      topic,
      rows.filter((row) => row.topic === topic),
    )
  }
  return rows.length
}

/** Publishes under a span of the request that each event comes from. The event's later spans are below that one. */
async function publishTraced(log: EventLog, topic: string, events: readonly LogEvent[]): Promise<void> {
  const traced = events.map((event) => {
    if (!isSampled(event.traceparent)) return { event }
    const { span, traceparent } = startSpan(event.traceparent, `publish ${event.type}`, SpanKind.PRODUCER, {
      'messaging.destination.name': topic,
      'messaging.message.id': event.id,
    })
    return { span, event: { ...event, traceparent } }
  })
  try {
    await log.publish(
      topic,
      traced.map(({ event }) => event),
    )
  } catch (error) {
    for (const { span } of traced) if (span) failSpan(span, error)
    throw error
  } finally {
    for (const { span } of traced) span?.end()
  }
}

/** Exports the age of the oldest event that waits to be published, in seconds. It grows while the log is away. */
export function observeOutbox(pool: Pool): void {
  const description = 'Age of the oldest event that is not published yet.'
  observe('outbox_oldest_age_seconds', description, async () => {
    const { rows } = await pool.query(
      `SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS age
       FROM (SELECT created_at FROM outbox ORDER BY id LIMIT 1) AS oldest`,
    )
    return rows[0].age
  })
}
