import type { Db } from '@cofre/platform/postgres/postgres'
import type { Endpoint } from '../endpoints/endpoint'
import { nameByHand } from '../receivers/receiver'
import { expectLanes, makeReceivers } from '../receivers/receiver-store'

/** Where a delivery goes: to an endpoint, or to the URL of a request. */
export type Destination = { sellerId: number; url: string; endpoint: Pick<Endpoint, 'id' | 'status'> | null }

/** In SQL, the lane that a delivery shares with the others of its receiver and resource. */
export const SHARED_LANE = `md5(coalesce(endpoint_id::text, url) || ' ' || resource_kind || ' ' || resource_id)::uuid`

/** In SQL, whether a pending delivery is being attempted: it is the head of a lane whose lease runs. */
const IS_ATTEMPTED = `EXISTS (SELECT FROM lanes WHERE lanes.id = deliveries.lane AND lease IS NOT NULL AND due_at > now())
  AND deliveries.id = (SELECT head.id FROM deliveries AS head
    WHERE head.lane = deliveries.lane AND head.status = 'PENDING' ORDER BY head.sequence, head.id LIMIT 1)`

/**
 * Makes lanes due now at their seller's request, and opens closed ones; a running attempt keeps its lease. A disabled
 * endpoint gets nothing by itself, so the requested deliveries go through a receiver of their own.
 */
export async function openByHand(tx: Db, to: Destination, lanes: readonly string[]): Promise<void> {
  const receiverId = await receiverByHand(tx, to)
  await tx.query(
    `INSERT INTO lanes (id, receiver_id) SELECT DISTINCT lane, $2::bigint FROM unnest($1::uuid[]) AS lane
     ORDER BY 1
     ON CONFLICT (id) DO UPDATE SET receiver_id = excluded.receiver_id,
       retried = lanes.retried AND lanes.lease IS NOT NULL,
       due_at = CASE WHEN lanes.lease IS NULL THEN now() ELSE lanes.due_at END`,
    [lanes, receiverId],
  )
  await expectLanes(tx, new Map([[receiverId, 0]]))
}

async function receiverByHand(tx: Db, { sellerId, url, endpoint }: Destination): Promise<number> {
  const [receiverId = 0] = await makeReceivers(tx, [
    endpoint?.status === 'DISABLED'
      ? { sellerId, endpointId: null, url, name: nameByHand(endpoint.id) }
      : { sellerId, endpointId: endpoint?.id ?? null, url },
  ])
  return receiverId
}

/**
 * Moves one delivery to a lane of its own, due now: what else waits for its resource goes on waiting. An attempt of it
 * that runs in its present lane ends first, or is lost when its lease is over. Returns whether one runs. Repeatable. The
 * caller holds the endpoint. Receivers are locked before lanes, so that requests at once take turns.
 */
export async function openApart(tx: Db, to: Destination, id: number): Promise<boolean> {
  const receiverId = await receiverByHand(tx, to)
  const { rows } = await tx.query<{ lane: string; own: string }>(
    `SELECT lane, md5('delivery ' || id)::uuid AS own FROM deliveries WHERE id = $1`,
    [id],
  )
  if (!rows[0]) return false
  const { lane, own } = rows[0]
  await tx.query('SELECT FROM lanes WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE', [[lane, own]])
  const isAttempted = await attempted(tx, id)
  if (lane === own) {
    await openByHand(tx, to, [own])
    return isAttempted
  }
  await tx.query(
    `INSERT INTO lanes (id, receiver_id, due_at)
     VALUES ($1, $2, coalesce((SELECT due_at FROM lanes WHERE id = $3::uuid AND $4), now()))
     ON CONFLICT (id) DO UPDATE SET receiver_id = excluded.receiver_id`,
    [own, receiverId, lane, isAttempted],
  )
  await tx.query('UPDATE deliveries SET lane = $2 WHERE id = $1', [id, own])
  await tx.query(`DELETE FROM lanes WHERE id = $1 AND lease IS NULL AND ${IS_EMPTY}`, [lane])
  await expectLanes(tx, new Map([[receiverId, 0]]))
  return isAttempted
}

/** Whether an attempt of a delivery runs. The caller holds its lane. */
export async function attempted(tx: Db, id: number): Promise<boolean> {
  const text = `SELECT FROM deliveries WHERE id = $1 AND status = 'PENDING' AND ${IS_ATTEMPTED}`
  return (await tx.query(text, [id])).rowCount === 1
}

const IS_EMPTY = `NOT EXISTS (SELECT FROM deliveries d WHERE d.lane = lanes.id AND d.status = 'PENDING')`

/** Closes leased lanes in which nothing waits: what waited there was moved, or delivered in another lane. */
export async function closeEmpty(tx: Db, lanes: readonly { id: string; lease: string }[]): Promise<void> {
  const held = await tx.query<{ id: string }>(
    `SELECT id FROM lanes WHERE id = ANY($1::uuid[]) AND lease = ANY($2::uuid[]) ORDER BY id FOR UPDATE`,
    [lanes.map(({ id }) => id), lanes.map(({ lease }) => lease)],
  )
  // A delivery that came meanwhile shows to this second statement.
  await tx.query(`DELETE FROM lanes WHERE id = ANY($1::uuid[]) AND ${IS_EMPTY}`, [
    held.rows.map(({ id }) => id),
  ])
}

const REJOINED_MAX = 1_000

/**
 * Once an endpoint is enabled, deliveries that wait in lanes of their own wait in the order of their resource again.
 * One that is being attempted goes on alone. The caller holds the endpoint, so that none is moved meanwhile.
 */
export async function rejoinLanes(tx: Db, endpoint: Endpoint): Promise<void> {
  const { rows } = await tx.query<{ id: string }>(
    `SELECT lanes.id FROM receivers JOIN lanes ON receiver_id = receivers.id
     WHERE receivers.seller_id = $1 AND receivers.name = $2 AND lease IS NULL
     ORDER BY lanes.id LIMIT ${REJOINED_MAX} FOR UPDATE OF lanes SKIP LOCKED`,
    [endpoint.sellerId, nameByHand(endpoint.id)],
  )
  const own = rows.map(({ id }) => id)
  const moved = await tx.query<{ lane: string }>(
    `UPDATE deliveries SET lane = ${SHARED_LANE}
     WHERE lane = ANY($1::uuid[]) AND status = 'PENDING' AND lane <> ${SHARED_LANE} RETURNING lane`,
    [own],
  )
  if (moved.rows.length === 0) return
  await tx.query(`DELETE FROM lanes WHERE id = ANY($1::uuid[]) AND ${IS_EMPTY}`, [own])
  await openByHand(
    tx,
    { ...endpoint, endpoint },
    moved.rows.map(({ lane }) => lane),
  )
}
