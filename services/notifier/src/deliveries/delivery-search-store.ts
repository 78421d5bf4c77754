import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import { notFound } from '@cofre/platform/errors'
import type { Endpoint } from '../endpoints/endpoint'
import { attempted, openApart, openByHand, SHARED_LANE, type Destination } from './lane-store'

/** A delivery as sellers see it. */
export type SeenDelivery = {
  id: number
  webhookId: string
  eventType: string
  resourceKind: string
  resourceId: string
  endpointId: number | null
  url: string
  status: DeliveryStatus
  attempts: number
  lastStatus: number | null
  nextAttemptAt: Date | null
  createdAt: Date
}

export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'FAILED'

/** An attempt as it was written with its verdict: exactly one of status and error. */
export type SeenAttempt = {
  number: number
  at: Date
  durationMs: number
  status: number | null
  error: string | null
}

/** The columns of a delivery as it is shown. */
export const SEEN = `id, webhook_id AS "webhookId", event_type AS "eventType", resource_kind AS "resourceKind",
  resource_id AS "resourceId", endpoint_id AS "endpointId",
  CASE status WHEN 'PENDING' THEN coalesce((SELECT e.url FROM endpoints e WHERE e.id = endpoint_id), url) ELSE url END AS url,
  status, attempts, last_status AS "lastStatus",
  next_attempt_at AS "nextAttemptAt", created_at AS "createdAt"`

/** Reads one of a seller's deliveries. Throws NOT_FOUND. */
export async function readDelivery(
  pool: Pool,
  sellerId: number,
  id: number,
): Promise<{ delivery: SeenDelivery; body: string; attempts: SeenAttempt[] }> {
  const { rows } = await pool.query<SeenDelivery & { body: string }>(
    `SELECT ${SEEN}, body FROM deliveries WHERE id = $1 AND seller_id = $2`,
    [id, sellerId],
  )
  const [found] = rows
  if (!found) throw notFound('There is no such delivery.')
  const { rows: attempts } = await pool.query<SeenAttempt>(
    `SELECT number, at, duration_ms AS "durationMs", status, error FROM attempts
     WHERE delivery_id = $1 ORDER BY number`,
    [id],
  )
  const { body, ...delivery } = found
  return { delivery, body, attempts }
}

/** Reads the delivery of an event to an endpoint. Throws NOT_FOUND. */
export async function readDeliveryOf(tx: Db, webhookId: string, endpointId: number): Promise<SeenDelivery> {
  const { rows } = await tx.query<SeenDelivery>(
    `SELECT ${SEEN} FROM deliveries WHERE webhook_id = $1 AND endpoint_id = $2`,
    [webhookId, endpointId],
  )
  if (!rows[0]) throw notFound('There is no such delivery.')
  return rows[0]
}

/**
 * Makes a delivery pending again in its lane. It is due now, from the start of the schedule, at its endpoint's current
 * URL. A running attempt ends first; if it fails, another is made at once, and the schedule counts from that one. The
 * lane is locked first, as at the end of an attempt. A disabled endpoint gets this delivery alone. Throws NOT_FOUND, also
 * when the delivery's endpoint was deleted.
 */
export async function makePendingAgain(tx: Db, sellerId: number, id: number): Promise<SeenDelivery> {
  const { rows: known } = await tx.query<{ url: string; endpointId: number | null }>(
    'SELECT url, endpoint_id AS "endpointId" FROM deliveries WHERE id = $1 AND seller_id = $2',
    [id, sellerId],
  )
  if (!known[0]) throw notFound('There is no such delivery.')
  const endpoint = known[0].endpointId === null ? null : await keepEndpoint(tx, known[0].endpointId)
  const to = { sellerId, url: endpoint?.url ?? known[0].url, endpoint }
  const isAttempted = await openFor(tx, to, id)
  const { rows } = await tx.query<SeenDelivery>(
    `UPDATE deliveries SET status = 'PENDING', next_attempt_at = now(), resent_after = attempts + $2::int
     WHERE id = $1 RETURNING ${SEEN}`,
    [id, isAttempted ? 1 : 0],
  )
  // The delivery was forgotten between the statements.
  if (!rows[0]) throw notFound('There is no such delivery.')
  return rows[0]
}

/** Opens the lane of a delivery that is to be sent again. Returns whether an attempt of it runs, which its lease shows. */
async function openFor(tx: Db, to: Destination, id: number): Promise<boolean> {
  if (to.endpoint?.status === 'DISABLED') return openApart(tx, to, id)
  // One that ended in a lane of its own is sent in the order of its resource again.
  const { rows } = await tx.query<{ lane: string }>(
    `SELECT CASE status WHEN 'PENDING' THEN lane ELSE ${SHARED_LANE} END AS lane FROM deliveries WHERE id = $1`,
    [id],
  )
  const [found] = rows
  if (!found) return false
  await openByHand(tx, to, [found.lane])
  const isAttempted = await attempted(tx, id)
  await tx.query('UPDATE deliveries SET lane = $2 WHERE id = $1 AND lane <> $2', [id, found.lane])
  return isAttempted
}

/** Locks the endpoint of a delivery against deletion, until the commit. Throws NOT_FOUND when it was deleted. */
async function keepEndpoint(tx: Db, id: number): Promise<Pick<Endpoint, 'id' | 'url' | 'status'>> {
  const { rows } = await tx.query<Pick<Endpoint, 'id' | 'url' | 'status'>>(
    'SELECT id, url, status FROM endpoints WHERE id = $1 FOR SHARE',
    [id],
  )
  if (!rows[0]) throw notFound('The endpoint of the delivery was deleted.')
  return rows[0]
}
