import { randomBytes } from 'node:crypto'
import { DomainError, notFound } from '@cofre/platform/errors'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import { openSecret, sealSecret } from '@cofre/platform/secret-box'
import { envelopeOf, type Notification } from '../notifications/envelope'

/** A program that fetches a seller's events. */
export type Listener = { id: number; sellerId: number; events: string[]; createdAt: Date; sealed: Buffer }

/** An event as it is kept for a listener. */
export type ListenerEvent = {
  number: number
  webhookId: string
  eventType: string
  resourceKind: string
  resourceId: string
  resourceUrl: string
  body: string
  traceparent: string
  isTest: boolean
  createdAt: Date
}

const COLUMNS = 'id, seller_id AS "sellerId", events, sealed, created_at AS "createdAt"'
const SECRET_BYTES = 32
/** Bounded, since every event of a seller is kept once for each listener. */
const MAX_OF_SELLER = 5
/** How long a listener is unread before it makes way for a new one. */
const IDLE = `interval '1 minute'`

/** Adds a listener, with its secret in the clear. Throws LISTENER_LIMIT_REACHED when the seller's others are in use. */
export async function insertListener(
  tx: Db,
  key: Buffer,
  { sellerId, events }: Pick<Listener, 'sellerId' | 'events'>,
): Promise<Listener & { secret: string }> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`listeners of seller ${sellerId}`])
  await tx.query(
    `DELETE FROM listeners WHERE read_at < now() - ${IDLE} AND id IN (
       SELECT id FROM listeners WHERE seller_id = $1 ORDER BY read_at DESC OFFSET ${MAX_OF_SELLER - 1})`,
    [sellerId],
  )
  const { rows } = await tx.query<Listener>(
    `INSERT INTO listeners (seller_id, events)
     SELECT $1, $2 WHERE (SELECT count(*) FROM listeners WHERE seller_id = $1) < ${MAX_OF_SELLER}
     RETURNING ${COLUMNS}`,
    [sellerId, events],
  )
  const [made] = rows
  if (!made) {
    const message = `${MAX_OF_SELLER} listeners of the seller are in use.`
    throw new DomainError('failed_precondition', 'LISTENER_LIMIT_REACHED', message)
  }
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
  const sealed = sealSecret(key, secret, contextOf(made.id))
  await tx.query('UPDATE listeners SET sealed = $2 WHERE id = $1', [made.id, sealed])
  return { ...made, sealed, secret }
}

/** Notes that a listener is in use. Throws NOT_FOUND. */
export async function useListener(pool: Pool, sellerId: number, id: number): Promise<Listener> {
  const { rows } = await pool.query<Listener>(
    `UPDATE listeners SET read_at = now() WHERE id = $1 AND seller_id = $2 RETURNING ${COLUMNS}`,
    [id, sellerId],
  )
  if (!rows[0]) throw notFound('There is no such listener.')
  return rows[0]
}

export function secretOf(key: Buffer, { id, sealed }: Listener): string {
  return openSecret(key, sealed, contextOf(id)).toString()
}

/** A listener's events with numbers above `after`, in order. */
export async function readEvents(
  pool: Pool,
  id: number,
  after: number,
  size: number,
): Promise<ListenerEvent[]> {
  const { rows } = await pool.query<ListenerEvent>(
    `SELECT number, webhook_id AS "webhookId", event_type AS "eventType", resource_kind AS "resourceKind",
       resource_id AS "resourceId", resource_url AS "resourceUrl", body, traceparent, is_test AS "isTest",
       created_at AS "createdAt"
     FROM listener_events WHERE listener_id = $1 AND number > $2 ORDER BY number LIMIT $3`,
    [id, after, size],
  )
  return rows
}

/** Deletes a listener. False when there is none. */
export async function deleteListener(pool: Pool, sellerId: number, id: number): Promise<boolean> {
  const { rowCount } = await pool.query('DELETE FROM listeners WHERE id = $1 AND seller_id = $2', [
    id,
    sellerId,
  ])
  return rowCount === 1
}

type SellerEvent = Pick<Notification, 'sellerId' | 'eventType'>

/** In SQL, whether a listener wants an event of a type. */
const wants = (type: string) =>
  `(events = '{}' OR events && ARRAY[${type}, split_part(${type}, '.', 1) || '.*'])`

/** For many events at once: returns a function that is true for an event that some listener wants. */
export async function wantedByListeners(
  db: Db,
  events: readonly SellerEvent[],
): Promise<(each: SellerEvent) => boolean> {
  if (events.length === 0) return () => false
  const { rows } = await db.query<{ sellerId: number; type: string }>({
    name: 'wanted-by-listeners',
    text: `SELECT DISTINCT seller_id AS "sellerId", type FROM unnest($1::bigint[], $2::text[]) AS event(seller, type)
      JOIN listeners ON seller_id = seller AND ${wants('type')}`,
    values: [events.map(({ sellerId }) => sellerId), events.map(({ eventType }) => eventType)],
  })
  const found = new Set(rows.map(({ sellerId, type }) => `${sellerId} ${type}`))
  return ({ sellerId, eventType }) => found.has(`${sellerId} ${eventType}`)
}

/**
 * Keeps events for the listeners that want them. A transaction locks listeners last, and until it commits, so that
 * readers see the numbers of events in growing order. Returns how many copies were kept.
 */
export async function keepForListeners(tx: Db, notifications: readonly Notification[]): Promise<number> {
  const sellerIds = [...new Set(notifications.map(({ sellerId }) => sellerId))]
  const { rows: held } = await tx.query<{ id: number }>({
    name: 'hold-listeners',
    text: 'SELECT id FROM listeners WHERE seller_id = ANY($1::bigint[]) ORDER BY id FOR UPDATE',
    values: [sellerIds],
  })
  if (held.length === 0) return 0
  const rows = notifications.map((each, place) => ({ ...each, body: envelopeOf(each), place }))
  const { rowCount } = await tx.query(
    `WITH sent AS (
       SELECT * FROM json_to_recordset($1::json) AS t("sellerId" bigint, "webhookId" text, "eventType" text,
         "resourceKind" text, "resourceId" text, "resourceUrl" text, body text, traceparent text, "isTest" boolean,
         place int)),
     wanted AS (
       SELECT listeners.id, last_number, sent.* FROM sent JOIN listeners ON seller_id = "sellerId"
       WHERE listeners.id = ANY($2::bigint[]) AND ${wants('"eventType"')}),
     numbered AS (
       UPDATE listeners SET last_number = listeners.last_number + more.count
       FROM (SELECT id, count(*) FROM wanted GROUP BY id) AS more WHERE listeners.id = more.id)
     INSERT INTO listener_events (listener_id, number, webhook_id, event_type, resource_kind, resource_id,
       resource_url, body, traceparent, is_test)
     SELECT id, last_number + row_number() OVER (PARTITION BY id ORDER BY place), "webhookId", "eventType",
       "resourceKind", "resourceId", "resourceUrl", body, traceparent, coalesce("isTest", false)
     FROM wanted`,
    [JSON.stringify(rows), held.map(({ id }) => id)],
  )
  return rowCount ?? 0
}

const KEPT_OF_LISTENER = 10_000

/** Forgets listeners unread for a day, and events older than a day or than the newest 10,000. Returns how many rows. */
export async function forgetListeners(pool: Pool): Promise<number> {
  const listeners = await pool.query(
    `DELETE FROM listeners WHERE read_at < now() - interval '1 day' AND id IN (
       SELECT id FROM listeners WHERE read_at < now() - interval '1 day' LIMIT 10)`,
  )
  const old = await pool.query(
    `DELETE FROM listener_events WHERE (listener_id, number) IN (
       SELECT listener_id, number FROM listener_events WHERE created_at < now() - interval '1 day'
       ORDER BY created_at LIMIT 500)`,
  )
  const many = await pool.query(
    `DELETE FROM listener_events WHERE (listener_id, number) IN (
       SELECT listener_id, number FROM listeners JOIN listener_events ON listener_id = id
       WHERE number <= last_number - ${KEPT_OF_LISTENER} LIMIT 500)`,
  )
  return (listeners.rowCount ?? 0) + (old.rowCount ?? 0) + (many.rowCount ?? 0)
}

function contextOf(id: number): string {
  return `signing secret of listener ${id}`
}
