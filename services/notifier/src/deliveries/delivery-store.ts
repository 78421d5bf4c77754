import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import { hostOf, receiverName } from '../receivers/receiver'
import { stateOf } from '../receivers/receiver-store'
import type { NewDelivery } from './delivery'
import type { Attempt } from './verdict-store'

/** `delivered`: the attempt, made before the delivery is stored, that delivered it. */
export type Stored = NewDelivery & { lease?: string | undefined; delivered?: Attempt | undefined }

/**
 * A lane leased as its head, the delivery, asked; with a null `lease`, a lane that nobody attempts now. A delivery that
 * is stored as delivered has only its lease and id here.
 */
export type Opened = { lane: string; lease: string | null; receiverId: number; id: number }

const DUE_AT = `CASE WHEN lease IS NULL THEN now() ELSE now() + $2::float8 * interval '1 millisecond' END`

// An update that changes nothing locks a lane that is already open. An attempt that ends now must see the new delivery
// before it closes the lane. Lanes are locked in one order everywhere. A receiver that another transaction locks is
// left to `noteForgotten`: this statement waits for no receiver while it holds lanes.
const INSERT = `WITH new AS (
    SELECT * FROM json_to_recordset($1::json) AS d("webhookId" text, "endpointId" bigint, "sellerId" bigint,
      "eventType" text, "resourceKind" text, "resourceId" text, "resourceUrl" text, sequence bigint, url text,
      body text, traceparent text, "receiverName" text, "receiverHost" text, lease uuid, place int,
      answered int, at timestamptz, "durationMs" int)),
  named AS (
    SELECT "sellerId", "receiverName", "endpointId", "receiverHost", min(${DUE_AT}) AS due_at FROM new
    WHERE answered IS NULL GROUP BY "sellerId", "receiverName", "endpointId", "receiverHost"),
  known AS (
    SELECT receivers.id, seller_id, name FROM receivers
    JOIN named ON seller_id = "sellerId" AND name = "receiverName"),
  made AS (
    INSERT INTO receivers (seller_id, name, endpoint_id, host, state, next_at)
    SELECT "sellerId", "receiverName", "endpointId", "receiverHost", state,
      CASE state WHEN 'OPEN' THEN due_at ELSE 'infinity' END
    FROM (SELECT DISTINCT ON ("sellerId", "receiverName") named.*, ${stateOf('named."endpointId"')} AS state FROM named WHERE NOT EXISTS (
      SELECT FROM known WHERE seller_id = "sellerId" AND name = "receiverName")) AS missing
    ORDER BY "sellerId", "receiverName"
    ON CONFLICT ON CONSTRAINT receivers_once DO UPDATE SET name = excluded.name
    RETURNING id, seller_id, name),
  receiver AS (SELECT * FROM known UNION ALL SELECT * FROM made),
  added AS (
    INSERT INTO deliveries (webhook_id, endpoint_id, seller_id, event_type, resource_kind, resource_id,
      resource_url, sequence, url, body, traceparent, status, attempts, last_status, lane)
    SELECT "webhookId", "endpointId", "sellerId", "eventType", "resourceKind", "resourceId", "resourceUrl",
      sequence, url, body, traceparent, CASE WHEN answered IS NULL THEN 'PENDING' ELSE 'DELIVERED' END,
      CASE WHEN answered IS NULL THEN 0 ELSE 1 END, answered,
      md5(coalesce("endpointId"::text, url) || ' ' || "resourceKind" || ' ' || "resourceId")::uuid
    FROM new ORDER BY place
    ON CONFLICT ON CONSTRAINT deliveries_once DO NOTHING
    RETURNING id, lane, webhook_id, endpoint_id, status),
  delivered AS (
    SELECT added.id, lease, answered, at, "durationMs" FROM added
    JOIN new ON "webhookId" = webhook_id AND coalesce("endpointId", 0) = coalesce(endpoint_id, 0)
    WHERE status = 'DELIVERED'),
  tried AS (
    INSERT INTO attempts (delivery_id, number, status, at, duration_ms)
    SELECT id, 1, answered, at, "durationMs" FROM delivered),
  heads AS (
    SELECT DISTINCT ON (lane) lane, added.id, lease, receiver.id AS receiver_id
    FROM added JOIN new ON "webhookId" = webhook_id AND coalesce("endpointId", 0) = coalesce(endpoint_id, 0)
    JOIN receiver ON seller_id = "sellerId" AND name = "receiverName"
    WHERE status = 'PENDING' ORDER BY lane, sequence, added.id),
  opened AS (
    INSERT INTO lanes (id, receiver_id, lease, due_at)
    SELECT lane, receiver_id, lease, ${DUE_AT} FROM heads ORDER BY lane
    ON CONFLICT (id) DO UPDATE SET receiver_id = lanes.receiver_id
    RETURNING id, lease),
  expected AS (
    UPDATE receivers SET next_at = due_at FROM (
      SELECT receivers.id, due_at FROM receivers
      JOIN (SELECT receiver_id, min(${DUE_AT}) AS due_at FROM heads GROUP BY receiver_id) AS each
        ON receiver_id = receivers.id
      WHERE next_at > due_at AND state = 'OPEN' FOR UPDATE OF receivers SKIP LOCKED) AS late
    WHERE receivers.id = late.id)
  SELECT lane, lease, receiver_id AS "receiverId", id, false AS "isOpened" FROM heads
  UNION ALL SELECT id, lease, NULL, NULL, true FROM opened
  UNION ALL SELECT NULL, lease, 0, id, false FROM delivered`

/** A head with the lease that its delivery asked for, or the lane opened for it with the lease that it has. */
type Row = Omit<Opened, 'lane'> & { lane: string | null; isOpened: boolean }

/**
 * Adds deliveries, each once for an event and receiver, and opens their lanes: one statement, however many there are. A
 * deliverer that looks at a receiver meanwhile may note that nothing is due there. So a consumer wakes the deliverer
 * for the returned receivers after the commit. Other callers rely on the net, which looks every two seconds. The caller
 * attempts a delivery whose lease is returned; nobody else does for `leaseMs`.
 */
export async function insertDeliveries(
  tx: Db,
  deliveries: readonly Stored[],
  leaseMs = 0,
): Promise<Opened[]> {
  const rows = deliveries.map(({ delivered, ...delivery }, place) => ({
    ...delivery,
    ...(delivered ? answerOf(delivered) : receiverOf(delivery)),
    place,
  }))
  const answer = await tx.query<Row>({
    name: 'insert-deliveries',
    text: INSERT,
    values: [JSON.stringify(rows), leaseMs],
  })
  return openedOf(answer.rows)
}

function answerOf({ outcome, at, durationMs }: Attempt) {
  return { answered: 'status' in outcome ? outcome.status : null, at, durationMs }
}

/** The receiver of a delivery while it waits. */
function receiverOf({ endpointId, url }: NewDelivery) {
  return { receiverName: receiverName(endpointId, url), receiverHost: hostOf(url) }
}

/** Joins heads and lanes here: PostgreSQL expects one row of each, and would compare every head with every lane. */
function openedOf(rows: readonly Row[]): Opened[] {
  const leaseOf = new Map(rows.filter(({ isOpened }) => isOpened).map(({ lane, lease }) => [lane, lease]))
  return rows.flatMap(({ lane, lease: wanted, receiverId, id, isOpened }) => {
    if (lane === null) return [{ lane: '', lease: wanted, receiverId, id }]
    const lease = isOpened ? undefined : leaseOf.get(lane)
    return lease === undefined || (lease !== null && lease !== wanted)
      ? []
      : [{ lane, lease, receiverId, id }]
  })
}

/** Returns which of these lanes are open: something waits there or is being attempted. */
export async function findOpenLanes(pool: Pool, lanes: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'open-lanes',
    text: 'SELECT id FROM lanes WHERE id = ANY($1::uuid[])',
    values: [lanes],
  })
  return new Set(rows.map(({ id }) => id))
}

/** Forgets deliveries that ended, and attempts, that are more than 30 days old. Returns how many rows. */
export async function forgetDeliveries(pool: Pool): Promise<number> {
  // A delivery that is resent between the two looks is pending, and stays.
  const deliveries = await pool.query(
    `DELETE FROM deliveries WHERE status <> 'PENDING' AND id IN (
       SELECT id FROM deliveries WHERE status <> 'PENDING' AND created_at < now() - interval '30 days'
       ORDER BY created_at LIMIT 500)`,
  )
  const attempts = await pool.query(
    `DELETE FROM attempts WHERE (delivery_id, number) IN (
       SELECT delivery_id, number FROM attempts WHERE at < now() - interval '30 days' ORDER BY at LIMIT 500)`,
  )
  return (deliveries.rowCount ?? 0) + (attempts.rowCount ?? 0)
}
