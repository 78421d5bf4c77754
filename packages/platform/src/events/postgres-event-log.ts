import type { PoolClient } from 'pg'
import { tellConsumerFailure } from './consumer-failure'
import { inGroups, type Handlers } from './handle-together'
import { UnreadableEvent, type EventLog, type LogEvent, type Subscription } from './event-log'
import { repeat } from '../service/lifecycle'
import type { Logger } from '../telemetry/log'
import { untilDatabaseAnswers, withTransaction, type Pool } from '../postgres/postgres'

const BATCH_SIZE = 200
const LOOK_EVERY_MS = 1_000
const KEPT_DAYS = 7
const DEAD_LETTERS_KEPT_DAYS = 30
// Deleting costs more than handling an event, so it is not done after each. This keeps up with 500 events a second.
const FORGET_EVERY_MS = 10_000
const FORGET_AT_ONCE = 5_000

/** The tables of the log; it has a database of its own. */
const EVENT_LOG_SQL = `
  CREATE TABLE IF NOT EXISTS event_log (
    topic text NOT NULL, position bigint GENERATED ALWAYS AS IDENTITY, id uuid NOT NULL, type text NOT NULL,
    key text NOT NULL, seller_id bigint NOT NULL, traceparent text NOT NULL, value text NOT NULL,
    published_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (topic, position));
  CREATE TABLE IF NOT EXISTS event_log_groups (
    name text NOT NULL, topic text NOT NULL, position bigint NOT NULL, PRIMARY KEY (name, topic));
  CREATE TABLE IF NOT EXISTS event_log_dead_letters (
    group_name text NOT NULL, topic text NOT NULL, id uuid NOT NULL, reason text NOT NULL, type text NOT NULL,
    key text NOT NULL, seller_id bigint NOT NULL, traceparent text NOT NULL, value text NOT NULL,
    set_aside_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (group_name, topic, id));`

/**
 * The event log of one machine: a table and LISTEN/NOTIFY. Published events survive kill -9. `lookEveryMs`: how soon
 * a reader looks for events without a notification.
 */
export async function openPostgresEventLog(
  pool: Pool,
  log: Logger,
  lookEveryMs = LOOK_EVERY_MS,
): Promise<EventLog> {
  await untilDatabaseAnswers(pool)
  await withTransaction(pool, async (tx) => {
    await tx.query("SELECT pg_advisory_xact_lock(hashtext('event_log'))")
    await tx.query(EVENT_LOG_SQL)
  })
  return {
    publish: (topic, events) => publish(pool, topic, events),
    subscribe: (group, topic, handle, handleAll) =>
      subscribe(pool, log, { group, topic, handle, handleAll }, lookEveryMs),
    lag: (group, topic) => lag(pool, group, topic),
    close: () => pool.end(),
  }
}

// Publishers of a topic take turns until they commit, so that positions become visible in their own order: `turn` is
// read before any position is given.
const PUBLISH = `
  WITH turn AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtext('publish ' || $1::text))),
  published AS (
    INSERT INTO event_log (topic, id, type, key, seller_id, traceparent, value)
    SELECT $1, e.id, e.type, e.key, e.seller_id, e.traceparent, e.value
    FROM turn, unnest($2::uuid[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[])
      WITH ORDINALITY AS e(id, type, key, seller_id, traceparent, value, ordinality)
    ORDER BY e.ordinality)
  SELECT pg_notify('event_log', $1)`

async function publish(pool: Pool, topic: string, events: readonly LogEvent[]): Promise<void> {
  await pool.query({
    name: 'publish-events',
    text: PUBLISH,
    values: [
      topic,
      events.map(({ id }) => id),
      events.map(({ type }) => type),
      events.map(({ key }) => key),
      events.map(({ sellerId }) => sellerId),
      events.map(({ traceparent }) => traceparent),
      events.map(({ value }) => value),
    ],
  })
}

type Consumer = { group: string; topic: string } & Handlers

async function subscribe(
  pool: Pool,
  log: Logger,
  consumer: Consumer,
  lookEveryMs: number,
): Promise<Subscription> {
  await pool.query(
    `INSERT INTO event_log_groups (name, topic, position) VALUES ($1, $2, 0) ON CONFLICT DO NOTHING`,
    [consumer.group, consumer.topic],
  )
  let session: PoolClient | undefined
  let stopping = false
  let forgetAt = 0
  const leave = (error?: Error) => {
    session?.release(error ?? true)
    session = undefined
  }
  const loop = repeat(
    async () => {
      session ??= await enter(pool, consumer, () => loop.wake(), leave)
      const current = session
      if (!current) return 0
      const handled = await consume(current, log, consumer, () => !stopping && session === current)
      if (Date.now() >= forgetAt) {
        forgetAt = Date.now() + FORGET_EVERY_MS
        await forget(current, consumer.topic)
      }
      return handled
    },
    lookEveryMs,
    (error) => {
      leave()
      tellConsumerFailure(log, consumer, { error }, 'consumer will try again')
    },
  )
  const stop = () => {
    stopping = true
    return loop.stop().finally(leave)
  }
  return { stop }
}

/** Opens the session that reads for the group, if no other member has it. The lock ends with the session. */
async function enter(
  pool: Pool,
  { group, topic }: Consumer,
  onPublished: () => void,
  onLost: (error: Error) => void,
): Promise<PoolClient | undefined> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query('SELECT pg_try_advisory_lock(hashtext($1)) AS held', [
      `consume ${group} ${topic}`,
    ])
    if (!rows[0].held) {
      client.release()
      return undefined
    }
    client.on('notification', ({ payload }) => payload === topic && onPublished())
    client.once('error', onLost)
    await client.query('LISTEN event_log')
    return client
  } catch (error) {
    client.release(true)
    throw error
  }
}

/**
 * Handles the next events. Returns 0 unless a whole batch was waiting: a notification announces later events. Stops
 * between two events when `mayGoOn` is false: the member leaves, or its session is lost and another may read.
 */
async function consume(
  session: PoolClient,
  log: Logger,
  consumer: Consumer,
  mayGoOn: () => boolean,
): Promise<number> {
  const { group, topic } = consumer
  const { rows } = await session.query({
    name: 'read-events',
    text: `SELECT position, id, type, key, seller_id AS "sellerId", traceparent, value FROM event_log
      WHERE topic = $1 AND position > (SELECT position FROM event_log_groups WHERE name = $2 AND topic = $1)
      ORDER BY position LIMIT $3`,
    values: [topic, group, BATCH_SIZE],
  })
  let last = 0
  try {
    const handleOne = ({ event }: Read) => handleOrSetAside(session, log, consumer, event)
    const read = rows.map(({ position, ...event }): Read => ({ position, event }))
    await inGroups(read, consumer, handleOne, (done) => void (last = done.position), mayGoOn)
  } finally {
    if (last > 0) await advance(session, group, topic, last)
  }
  return rows.length === BATCH_SIZE ? BATCH_SIZE : 0
}

type Read = { position: number; event: LogEvent }

async function handleOrSetAside(
  session: PoolClient,
  log: Logger,
  { group, topic, handle }: Consumer,
  event: LogEvent,
): Promise<void> {
  try {
    await handle(event)
  } catch (error) {
    if (!(error instanceof UnreadableEvent)) throw error
    const { id, type, key, sellerId, traceparent, value } = event
    await session.query(
      `INSERT INTO event_log_dead_letters
         (group_name, topic, id, reason, type, key, seller_id, traceparent, value)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
      [group, topic, id, error.message, type, key, sellerId, traceparent, value],
    )
    log.error(
      { topic, eventId: id, eventType: type, reason: error.message },
      'event cannot be read, moved to the dead letters',
    )
  }
}

async function lag(pool: Pool, group: string, topic: string): Promise<number> {
  const { rows } = await pool.query(
    `SELECT count(*) AS events FROM event_log WHERE topic = $1 AND position > COALESCE(
       (SELECT position FROM event_log_groups WHERE name = $2 AND topic = $1), 0)`,
    [topic, group],
  )
  return rows[0].events
}

async function advance(session: PoolClient, group: string, topic: string, position: number): Promise<void> {
  await session.query({
    name: 'advance-group',
    text: 'UPDATE event_log_groups SET position = $3 WHERE name = $1 AND topic = $2',
    values: [group, topic, position],
  })
}

/** Deletes old events that every group has handled and no late group may ask for. Looks only at the oldest ones. */
async function forget(session: PoolClient, topic: string): Promise<void> {
  await session.query(
    `DELETE FROM event_log WHERE topic = $1 AND published_at < now() - $2 * interval '1 day' AND position IN (
       SELECT position FROM event_log WHERE topic = $1
         AND position <= (SELECT min(position) FROM event_log_groups WHERE topic = $1)
       ORDER BY position LIMIT $3)`,
    [topic, KEPT_DAYS, FORGET_AT_ONCE],
  )
  await session.query(
    `DELETE FROM event_log_dead_letters WHERE topic = $1 AND set_aside_at < now() - $2 * interval '1 day'`,
    [topic, DEAD_LETTERS_KEPT_DAYS],
  )
}
