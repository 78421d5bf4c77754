import { notFound } from '@cofre/platform/errors'
import { unknownAfter, type ListPage } from '@cofre/platform/list-page'
import { faultyPlace } from '@cofre/platform/list-place'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import type { NewDelivery } from './delivery'
import { findDeliveries, type DeliveryQuery } from './delivery-list-store'
import { SEEN, type SeenDelivery } from './delivery-search-store'

/** What became of the deliveries of an event. */
type Counts = { pending: number; delivered: number; failed: number }

/** An event as its first delivery names it. */
export type SeenEvent = Counts &
  Pick<SeenDelivery, 'webhookId' | 'eventType' | 'resourceKind' | 'resourceId' | 'createdAt'>

/** `after`: the id of the event that the page follows. `place`: the id of its first delivery, as the page before says. */
export type EventQuery = Omit<DeliveryQuery, 'statuses' | 'endpointId' | 'after' | 'isFirst'> & {
  after: string | undefined
  place?: string | undefined
}

/** A page of the events of which a seller has deliveries, newest first. Throws PAGE_TOO_DEEP, and for an unknown `after`. */
export async function findEvents(
  pool: Pool,
  { after, place, ...query }: EventQuery,
): Promise<ListPage<SeenEvent>> {
  const { entries, ...end } = await findDeliveries(pool, {
    ...query,
    statuses: [],
    endpointId: undefined,
    isFirst: true,
    after: after === undefined ? undefined : (idAt(place) ?? (await firstOf(pool, query.sellerId, after))),
  })
  const counts = await countOf(pool, entries)
  return {
    ...end,
    place: entries.at(-1)?.id.toString(),
    entries: entries.map((first) => eventOf(first, counts.get(first.webhookId))),
  }
}

function idAt(place: string | undefined): number | undefined {
  if (place !== undefined && !/^\d{1,15}$/.test(place))
    throw faultyPlace('must be the place that a page named')
  return place === undefined ? undefined : Number(place)
}

async function firstOf(pool: Pool, sellerId: number, webhookId: string): Promise<number> {
  const { rows } = await pool.query<{ id: number | null }>(
    'SELECT min(id) AS id FROM deliveries WHERE webhook_id = $1 AND seller_id = $2',
    [webhookId, sellerId],
  )
  const id = rows[0]?.id ?? undefined
  if (id === undefined) throw unknownAfter()
  return id
}

async function countOf(pool: Pool, events: readonly SeenDelivery[]): Promise<Map<string, Counts>> {
  const { rows } = await pool.query<Counts & { webhookId: string }>(
    `SELECT webhook_id AS "webhookId", count(*) FILTER (WHERE status = 'PENDING') AS pending,
       count(*) FILTER (WHERE status = 'DELIVERED') AS delivered, count(*) FILTER (WHERE status = 'FAILED') AS failed
     FROM deliveries WHERE webhook_id = ANY($1) GROUP BY webhook_id`,
    [events.map(({ webhookId }) => webhookId)],
  )
  return new Map(rows.map(({ webhookId, ...counts }) => [webhookId, counts]))
}

/** `counts` is missing when the last delivery was forgotten since it was listed. */
function eventOf(
  { webhookId, eventType, resourceKind, resourceId, createdAt }: SeenDelivery,
  counts: Counts = { pending: 0, delivered: 0, failed: 0 },
): SeenEvent {
  return { webhookId, eventType, resourceKind, resourceId, createdAt, ...counts }
}

/** At most 50 endpoints get an event at once; deleted ones had theirs. */
const DELIVERIES_MAX = 200

/** Reads one of a seller's events. Throws NOT_FOUND. */
export async function readEvent(
  pool: Pool,
  sellerId: number,
  webhookId: string,
): Promise<{ event: SeenEvent; body: string; deliveries: SeenDelivery[] }> {
  const { body } = await readMessage(pool, sellerId, webhookId)
  const { rows: deliveries } = await pool.query<SeenDelivery>(
    `SELECT ${SEEN} FROM deliveries WHERE webhook_id = $1 AND seller_id = $2 ORDER BY id LIMIT ${DELIVERIES_MAX}`,
    [webhookId, sellerId],
  )
  const [first] = deliveries
  // Its deliveries were forgotten between the statements.
  if (!first) throw noEvent()
  const counts = await countOf(pool, [first])
  return { event: eventOf(first, counts.get(webhookId)), body, deliveries }
}

/** The message of an event as endpoints get it, or else as the URL of its request does. Throws NOT_FOUND. */
export async function readMessage(db: Db, sellerId: number, webhookId: string): Promise<NewDelivery> {
  const { rows } = await db.query<NewDelivery>(
    `SELECT webhook_id AS "webhookId", endpoint_id AS "endpointId", seller_id AS "sellerId", event_type AS "eventType",
       resource_kind AS "resourceKind", resource_id AS "resourceId", resource_url AS "resourceUrl", sequence, url, body,
       traceparent
     FROM deliveries WHERE webhook_id = $1 AND seller_id = $2 ORDER BY endpoint_id IS NULL, id LIMIT 1`,
    [webhookId, sellerId],
  )
  if (!rows[0]) throw noEvent()
  return rows[0]
}

/** The id of the delivery of an event to an endpoint; undefined when there is none. */
export async function deliveryTo(tx: Db, webhookId: string, endpointId: number): Promise<number | undefined> {
  const { rows } = await tx.query<{ id: number }>(
    'SELECT id FROM deliveries WHERE webhook_id = $1 AND endpoint_id = $2',
    [webhookId, endpointId],
  )
  return rows[0]?.id
}

const noEvent = () => notFound('There is no such event.')
