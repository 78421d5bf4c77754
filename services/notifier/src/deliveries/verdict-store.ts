import { withTransaction, type Db, type Pool } from '@cofre/platform/postgres/postgres'
import { insertDisabling, type DisablingReason } from '../endpoints/disabling-store'
import { disableEndpoint, endpointsFor, holdEndpoints, noteHealth } from '../endpoints/endpoint-store'
import { keepForListeners } from '../listeners/listener-store'
import { deliveriesOf, endpointNotification } from '../notifications/envelope'
import { expectLanes, pauseReceiver } from '../receivers/receiver-store'
import type { Claimed } from './claim-store'
import type { Verdict } from './delivery'
import { insertDeliveries } from './delivery-store'
import type { Outcome } from './sender'

/** An attempt: when it began, how long it took, and its outcome. */
export type Attempt = { at: Date; durationMs: number; outcome: Outcome }

export type Finished = { claimed: Claimed; attempt: Attempt; verdict: Verdict }

/**
 * The state of a lane after the attempt with this lease. `nextInMs`: milliseconds until its next attempt is due;
 * undefined when nothing waits.
 */
export type HandedOn = { lease: string; receiverId: number; nextInMs: number | undefined }

/** In SQL, whether an attempt failed while the seller asked to resend its delivery. */
const AGAIN = `(d.resent_after <> v."resentAfter" AND v.status <> 'DELIVERED')`

// Rows are also selected by their ids: a join with the verdicts alone would read whole tables.
const WRITE = `WITH verdict AS (
    SELECT * FROM json_to_recordset($1::json) AS v(lane uuid, id bigint, status text, answered int, error text,
      "retryInMs" float8, at timestamptz, "durationMs" int, url text, abandons boolean, "resentAfter" int)),
  tried AS (
    UPDATE deliveries d SET attempts = d.attempts + 1, last_status = v.answered, last_error = v.error, url = v.url,
      status = CASE WHEN ${AGAIN} THEN 'PENDING' ELSE v.status END,
      next_attempt_at = CASE WHEN ${AGAIN} THEN now() ELSE now() + v."retryInMs" * interval '1 millisecond' END
    FROM verdict v WHERE d.id = v.id AND d.id = ANY($2::bigint[]) RETURNING d.id, d.attempts, ${AGAIN} AS again),
  written AS (
    INSERT INTO attempts (delivery_id, number, status, error, at, duration_ms)
    SELECT id, attempts, answered, error, at, "durationMs" FROM tried JOIN verdict USING (id)),
  abandoned AS (
    UPDATE deliveries d SET status = 'FAILED', last_error = 'gone', next_attempt_at = NULL
    FROM verdict v WHERE v.abandons AND d.lane = v.lane AND d.lane = ANY($3::uuid[]) AND d.status = 'PENDING'
      AND d.id <> v.id),
  next AS (
    SELECT lane, receiver_id, v.status = 'PENDING' AND again IS NOT TRUE AS retried,
      CASE WHEN again THEN 0 WHEN v.status = 'PENDING' THEN v."retryInMs"
        WHEN NOT v.abandons AND EXISTS (
          SELECT FROM deliveries d WHERE d.lane = v.lane AND d.status = 'PENDING' AND d.id <> v.id) THEN 0 END AS in_ms
    FROM verdict v LEFT JOIN tried USING (id) JOIN lanes ON lanes.id = v.lane AND lanes.id = ANY($3::uuid[])),
  closed AS (DELETE FROM lanes USING next WHERE lanes.id = next.lane AND lanes.id = ANY($3::uuid[]) AND in_ms IS NULL),
  passed AS (
    UPDATE lanes SET due_at = now() + in_ms * interval '1 millisecond', lease = NULL, retried = next.retried
    FROM next WHERE lanes.id = next.lane AND lanes.id = ANY($3::uuid[]) AND in_ms IS NOT NULL)
  SELECT lane, receiver_id AS "receiverId", in_ms AS "nextInMs" FROM next`

/**
 * Writes attempts with their verdicts and hands their lanes on, in one transaction. Returns the state of each lane. A
 * lane is missing when its lease ran out and another attempt was made, whose outcome counts.
 */
export async function finishAttempts(
  { pool, baseUrl }: { pool: Pool; baseUrl: string },
  finished: readonly Finished[],
): Promise<HandedOn[]> {
  const disables = finished.flatMap(({ claimed: { delivery }, verdict }) =>
    verdict.status === 'FAILED' && verdict.abandons && delivery.endpointId !== null ? [delivery] : [],
  )
  return withTransaction(pool, async (tx) => {
    // Endpoints are locked in one order everywhere.
    const sellerIds = [...new Set(disables.map((delivery) => delivery.sellerId))].sort(
      (one, other) => one - other,
    )
    for (const sellerId of sellerIds) await holdEndpoints(tx, sellerId)
    const held = await holdLanes(tx, finished)
    if (held.length === 0) return []
    const { rows } = await tx.query<Omit<HandedOn, 'lease'> & { lane: string }>({
      name: 'write-attempts',
      text: WRITE,
      values: [
        JSON.stringify(held.map(rowOf)),
        held.map(({ claimed }) => claimed.delivery.id),
        held.map(({ claimed }) => claimed.lane),
      ],
    })
    for (const { claimed } of held) {
      const { endpointId } = claimed.delivery
      if (endpointId !== null && disables.includes(claimed.delivery))
        await disable(tx, endpointId, 'GONE', baseUrl)
    }
    const leaseOf = new Map(held.map(({ claimed: { lane, lease } }) => [lane, lease]))
    return rows.map(({ lane, receiverId, nextInMs }) => {
      return { lease: leaseOf.get(lane) ?? '', receiverId, nextInMs: nextInMs ?? undefined }
    })
  })
}

/** Locks the lanes whose lease is still that of the attempt, in one order everywhere. */
async function holdLanes(tx: Db, finished: readonly Finished[]): Promise<Finished[]> {
  const { rows } = await tx.query<{ lease: string }>({
    name: 'hold-lanes',
    text: `SELECT lanes.lease FROM unnest($1::uuid[], $2::uuid[]) AS tried(id, lease)
      JOIN lanes ON lanes.id = tried.id AND lanes.lease = tried.lease ORDER BY lanes.id FOR UPDATE OF lanes`,
    values: [finished.map(({ claimed }) => claimed.lane), finished.map(({ claimed }) => claimed.lease)],
  })
  const held = new Set(rows.map(({ lease }) => lease))
  return finished.filter(({ claimed }) => held.has(claimed.lease))
}

function rowOf({ claimed: { lane, delivery }, attempt: { at, durationMs, outcome }, verdict }: Finished) {
  return {
    lane,
    id: delivery.id,
    status: verdict.status,
    answered: 'status' in outcome ? outcome.status : null,
    error: 'error' in outcome ? outcome.error : null,
    retryInMs: verdict.status === 'PENDING' ? verdict.retryInMs : null,
    at,
    durationMs,
    // If the row says otherwise, the seller asked to resend the delivery meanwhile.
    resentAfter: delivery.resentAfter,
    url: delivery.url,
    // Deliveries that wait behind it for an endpoint go on once the endpoint is enabled again.
    abandons: verdict.status === 'FAILED' && verdict.abandons && delivery.endpointId === null,
  }
}

/**
 * Notes which endpoints answered well and which did not, and disables those that failed for five days. Reads and writes
 * only where that changes something.
 */
export async function noteOutcomes(
  { pool, baseUrl }: { pool: Pool; baseUrl: string },
  finished: readonly Finished[],
): Promise<void> {
  const well = new Set<number>()
  const badly = new Map<number, number>()
  for (const { claimed, verdict } of finished) {
    const { endpointId, sellerId } = claimed.delivery
    if (endpointId === null) continue
    if (verdict.status !== 'DELIVERED') badly.set(endpointId, sellerId)
    else if (claimed.endpoint?.failing) well.add(endpointId)
  }
  if (well.size + badly.size === 0) return
  for (const endpointId of await noteHealth(pool, [...well], [...badly.keys()])) {
    await withTransaction(pool, async (tx) => {
      await holdEndpoints(tx, badly.get(endpointId) ?? 0)
      await disable(tx, endpointId, 'FAILING', baseUrl)
    })
  }
}

/**
 * Disables an endpoint and notifies the seller's other endpoints; the seller's users are notified later. Its waiting
 * deliveries stay until it is enabled, or until they are requested by hand.
 */
async function disable(tx: Db, endpointId: number, reason: DisablingReason, baseUrl: string): Promise<void> {
  const disabled = await disableEndpoint(tx, endpointId)
  if (!disabled) return
  await insertDisabling(tx, disabled, reason)
  const notification = endpointNotification('endpoint.disabled', disabled, { baseUrl, now: Date.now() })
  const others = await endpointsFor(tx, disabled.sellerId, notification.eventType)
  const notified = others.filter(({ id }) => id !== endpointId)
  if (notified.length > 0) await insertDeliveries(tx, deliveriesOf(notification, notified))
  await pauseReceiver(tx, endpointId)
  await keepForListeners(tx, [notification])
}

/**
 * Notes when the next lanes of receivers are due. It runs apart from the verdicts, which hold lanes: of those, only a
 * 410 waits for a receiver.
 */
export async function expectNext(pool: Pool, handedOn: readonly HandedOn[]): Promise<void> {
  const soonest = new Map<number, number>()
  for (const { receiverId, nextInMs } of handedOn) {
    if (nextInMs === undefined) continue
    soonest.set(receiverId, Math.min(nextInMs, soonest.get(receiverId) ?? Infinity))
  }
  if (soonest.size > 0) await expectLanes(pool, soonest)
}

/** Closes lanes without sending anything: the deliveries that wait there fail with `reason`. Checks the leases. */
export async function failLanes(pool: Pool, lanes: readonly Claimed[], reason: string): Promise<void> {
  await withTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ id: string }>(
      `SELECT lanes.id FROM unnest($1::uuid[], $2::uuid[]) AS tried(id, lease)
       JOIN lanes ON lanes.id = tried.id AND lanes.lease = tried.lease ORDER BY lanes.id FOR UPDATE OF lanes`,
      [lanes.map(({ lane }) => lane), lanes.map(({ lease }) => lease)],
    )
    await failHeld(
      tx,
      rows.map(({ id }) => id),
      reason,
    )
  })
}

const FAILED_AT_ONCE = 1_000

/** Fails the deliveries that wait in locked lanes, a batch at once. A lane with more of them stays, due now. */
export async function failHeld(tx: Db, lanes: readonly string[], reason: string): Promise<number> {
  if (lanes.length === 0) return 0
  const { rowCount } = await tx.query(
    `UPDATE deliveries SET status = 'FAILED', last_error = $2, next_attempt_at = NULL WHERE id IN (
       SELECT id FROM deliveries WHERE lane = ANY($1::uuid[]) AND status = 'PENDING' LIMIT ${FAILED_AT_ONCE})`,
    [lanes, reason],
  )
  await tx.query(
    `WITH left_over AS (
       SELECT id, EXISTS (SELECT FROM deliveries WHERE lane = lanes.id AND status = 'PENDING') AS waits
       FROM lanes WHERE id = ANY($1::uuid[])),
     kept AS (UPDATE lanes SET due_at = now(), lease = NULL FROM left_over WHERE lanes.id = left_over.id AND waits)
     DELETE FROM lanes USING left_over WHERE lanes.id = left_over.id AND NOT waits`,
    [lanes],
  )
  return (rowCount ?? 0) + lanes.length
}
