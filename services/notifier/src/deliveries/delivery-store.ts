import { withTransaction, type Db, type Pool } from '@cofre/platform/postgres/postgres'
import type { Delivery, NewDelivery, Verdict } from './delivery'
import { disableEndpoint, endpointsFor, holdEndpoints } from '../endpoints/endpoint-store'
import { deliveriesOf, endpointNotification } from '../notifications/envelope'
import type { Outcome } from './sender'

/** The head of a lane, leased for one attempt. */
export type Claimed = { lane: string; lease: string; host: string; delivery: Delivery }

/** What was tried: when, for how long, and what came of it. */
export type Attempt = { at: Date; durationMs: number; outcome: Outcome }

/** How many may be claimed, and how many attempts run here already for each host. */
export type Room = { limit: number; perHost: number; running: ReadonlyMap<string, number> }

const COLUMNS = `id, webhook_id AS "webhookId", endpoint_id AS "endpointId", seller_id AS "sellerId",
  event_type AS "eventType", resource_kind AS "resourceKind", resource_id AS "resourceId",
  resource_url AS "resourceUrl", sequence, url, body, traceparent, attempts, resent_after AS "resentAfter"`

/**
 * Adds deliveries, each once for an event and receiver, and opens their lanes: one statement, however many there are. The
 * update of a lane that is open already changes nothing but locks it: an attempt that ends now must see this delivery
 * before it closes the lane.
 */
export async function insertDeliveries(tx: Db, deliveries: readonly NewDelivery[]): Promise<void> {
  await tx.query({
    name: 'insert-deliveries',
    text: `WITH new AS (
        SELECT * FROM json_to_recordset($1::json) AS d("webhookId" text, "endpointId" bigint, "sellerId" bigint,
          "eventType" text, "resourceKind" text, "resourceId" text, "resourceUrl" text, sequence bigint, url text,
          body text, traceparent text, host text, place int)),
      added AS (
        INSERT INTO deliveries (webhook_id, endpoint_id, seller_id, event_type, resource_kind, resource_id,
          resource_url, sequence, url, body, traceparent)
        SELECT "webhookId", "endpointId", "sellerId", "eventType", "resourceKind", "resourceId", "resourceUrl",
          sequence, url, body, traceparent
        FROM new ORDER BY place
        ON CONFLICT ON CONSTRAINT deliveries_once DO NOTHING
        RETURNING lane, webhook_id, endpoint_id)
      -- In one order everywhere, so that two who lock the same lanes wait for each other one way only.
      INSERT INTO lanes (id, host)
      SELECT lane, host FROM added JOIN new ON "webhookId" = webhook_id AND "endpointId" IS NOT DISTINCT FROM endpoint_id
      ORDER BY place
      ON CONFLICT (id) DO UPDATE SET due_at = lanes.due_at`,
    values: [
      JSON.stringify(
        deliveries.map((delivery, place) => ({ ...delivery, host: new URL(delivery.url).host, place })),
      ),
    ],
  })
}

/**
 * Leases lanes that are due, the longest due first, and reads the head of each. Two statements on purpose: the heads must
 * be read after the lanes are ours, or a head that was delivered a moment ago would be sent again.
 */
export async function claimDue(pool: Pool, room: Room, leaseMs: number): Promise<Claimed[]> {
  const { rows: lanes } = await pool.query<{ id: string; lease: string; host: string }>({
    name: 'claim-due-lanes',
    text: `WITH candidates AS (
        SELECT id, host, due_at, coalesce(($2::jsonb ->> host)::int, 0) AS running FROM lanes
        WHERE due_at <= now() AND coalesce(($2::jsonb ->> host)::int, 0) < $3
        ORDER BY due_at LIMIT 1000),
      ranked AS (
        SELECT id, running + row_number() OVER (PARTITION BY host ORDER BY due_at) AS nth FROM candidates),
      picked AS (
        SELECT lanes.id FROM lanes JOIN ranked USING (id) WHERE nth <= $3 AND lanes.due_at <= now()
        ORDER BY lanes.due_at LIMIT $1 FOR UPDATE OF lanes SKIP LOCKED)
      UPDATE lanes SET due_at = now() + $4::float8 * interval '1 millisecond', lease = gen_random_uuid()
      FROM picked WHERE lanes.id = picked.id RETURNING lanes.id, lanes.lease, lanes.host`,
    values: [room.limit, JSON.stringify(Object.fromEntries(room.running)), room.perHost, leaseMs],
  })
  if (lanes.length === 0) return []
  const { rows: heads } = await pool.query<Delivery & { lane: string }>({
    name: 'heads-of-lanes',
    text: `SELECT DISTINCT ON (lane) lane, ${COLUMNS} FROM deliveries
      WHERE lane = ANY($1::uuid[]) AND status = 'PENDING' ORDER BY lane, sequence, id`,
    values: [lanes.map((lane) => lane.id)],
  })
  const headOf = new Map(heads.map(({ lane, ...delivery }) => [lane, delivery]))
  return lanes.flatMap(({ id, lease, host }) => {
    const delivery = headOf.get(id)
    return delivery ? [{ lane: id, lease, host, delivery }] : []
  })
}

/**
 * Writes the attempt and its verdict and hands the lane on. False: the lease ran out and another attempt was made, whose
 * outcome counts.
 */
export async function finishAttempt(
  { pool, baseUrl }: { pool: Pool; baseUrl: string },
  { lane, lease, delivery }: Claimed,
  { at, durationMs, outcome }: Attempt,
  verdict: Verdict,
): Promise<boolean> {
  const status = 'status' in outcome ? outcome.status : null
  const error = 'error' in outcome ? outcome.error : null
  const retryInMs = verdict.status === 'PENDING' ? verdict.retryInMs : null
  return withTransaction(pool, async (tx) => {
    const abandons = verdict.status === 'FAILED' && verdict.abandons
    if (abandons && delivery.endpointId !== null) await holdEndpoints(tx, delivery.sellerId)
    const held = await tx.query('SELECT FROM lanes WHERE id = $1 AND lease = $2 FOR UPDATE', [lane, lease])
    if (held.rowCount === 0) return false
    await tx.query({
      name: 'write-attempt',
      text: `WITH tried AS (
          UPDATE deliveries SET status = $2, attempts = attempts + 1, last_status = $3, last_error = $4,
            next_attempt_at = now() + $5::float8 * interval '1 millisecond'
          WHERE id = $1 RETURNING id, attempts)
        INSERT INTO attempts (delivery_id, number, status, error, at, duration_ms)
        SELECT id, attempts, $3, $4, $6, $7 FROM tried`,
      values: [delivery.id, verdict.status, status, error, retryInMs, at, durationMs],
    })
    if (abandons) {
      await abandonLane(tx, lane)
      if (delivery.endpointId !== null) await disable(tx, delivery.endpointId, baseUrl)
    }
    await passLaneOn(tx, lane, retryInMs)
    return true
  })
}

/** The seller's other endpoints are told. What waits for this one in other lanes is for its own answers to decide. */
async function disable(tx: Db, endpointId: number, baseUrl: string): Promise<void> {
  const disabled = await disableEndpoint(tx, endpointId)
  if (!disabled) return
  const notification = endpointNotification('endpoint.disabled', disabled, { baseUrl, now: Date.now() })
  const others = await endpointsFor(tx, disabled.sellerId, notification.eventType)
  await insertDeliveries(tx, deliveriesOf(notification, others))
}

async function abandonLane(tx: Db, lane: string): Promise<void> {
  await tx.query(
    `UPDATE deliveries SET status = 'FAILED', last_error = 'gone', next_attempt_at = NULL
     WHERE lane = $1 AND status = 'PENDING'`,
    [lane],
  )
}

/** To the same head later, to the next one now, or closed when nothing waits. */
async function passLaneOn(tx: Db, lane: string, retryInMs: number | null): Promise<void> {
  const { rowCount } = await tx.query({
    name: 'pass-lane-on',
    text: `UPDATE lanes SET due_at = now() + coalesce($2::float8, 0) * interval '1 millisecond', lease = NULL
      WHERE id = $1 AND EXISTS (SELECT FROM deliveries WHERE lane = $1 AND status = 'PENDING')`,
    values: [lane, retryInMs],
  })
  if (rowCount === 0) await tx.query('DELETE FROM lanes WHERE id = $1', [lane])
}

/** Forgets what was settled, and attempts made, more than 30 days ago. Returns how many rows. */
export async function forgetDeliveries(pool: Pool): Promise<number> {
  const deliveries = await pool.query(
    `DELETE FROM deliveries WHERE id IN (
       SELECT id FROM deliveries WHERE status <> 'PENDING' AND created_at < now() - interval '30 days'
       ORDER BY created_at LIMIT 500)`,
  )
  const attempts = await pool.query(
    `DELETE FROM attempts WHERE (delivery_id, number) IN (
       SELECT delivery_id, number FROM attempts WHERE at < now() - interval '30 days' ORDER BY at LIMIT 500)`,
  )
  return (deliveries.rowCount ?? 0) + (attempts.rowCount ?? 0)
}

/** Seconds that the delivery has waited which has been due for the longest. */
export async function oldestDueAge(pool: Pool): Promise<number> {
  const { rows } = await pool.query(
    'SELECT greatest(coalesce(extract(epoch FROM now() - min(due_at)), 0), 0)::float8 AS age FROM lanes',
  )
  return rows[0].age
}
