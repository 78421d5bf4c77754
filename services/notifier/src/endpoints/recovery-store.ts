import { withTransaction, type Db, type Pool } from '@cofre/platform/postgres/postgres'
import { openByHand, SHARED_LANE } from '../deliveries/lane-store'
import { OF_ENDPOINT, ofEndpoint } from '../receivers/receiver-store'
import type { Endpoint } from './endpoint'

type Phase = 'FAILED' | 'FIRST' | 'RETRY'
/** `reachedAt`: as PostgreSQL writes it, to the microsecond. */
type Recovery = {
  endpointId: number
  since: Date
  phase: Phase
  askedAt: Date
  reachedAt: string
  reachedId: string
}
/** Where the batch ended, the lanes that it found, and the failed deliveries. */
type Batch = { lanes: string[]; failed: string[]; reachedAt: string; reachedId: string }

const AT_ONCE = 500

/** Notes that an endpoint is to be sent everything that it missed since then. Returns how many deliveries that is. */
export async function askRecovery(tx: Db, endpoint: Endpoint, since: Date): Promise<number> {
  const { rows } = await tx.query<{ missed: number }>(
    `SELECT (SELECT count(*) FROM deliveries WHERE endpoint_id = $1 AND status = 'FAILED' AND created_at >= $4)
       + (SELECT count(*) FROM receivers JOIN lanes ON receiver_id = receivers.id
          JOIN deliveries d ON d.lane = lanes.id AND d.status = 'PENDING'
          WHERE ${OF_ENDPOINT} AND d.created_at >= $4
            AND (state <> 'OPEN' OR (retried AND lease IS NULL AND due_at > now()))) AS missed`,
    [...ofEndpoint(endpoint), since],
  )
  const missed = rows[0]?.missed ?? 0
  if (missed === 0) return 0
  await tx.query(
    `INSERT INTO recoveries (endpoint_id, since, reached_at) VALUES ($1, $2, '-infinity')
     ON CONFLICT (endpoint_id) DO UPDATE SET since = least(recoveries.since, excluded.since), phase = 'FAILED',
       reached_at = '-infinity', reached_id = '', asked_at = now()`,
    [endpoint.id, since],
  )
  return missed
}

/**
 * Goes on with one recovery that no other caller has in hand. Returns 0 when there is none, or when it is done. A
 * transaction that changes, disables or deletes the endpoint goes first: both lock its receiver and its lanes.
 */
export function recoverSome(pool: Pool): Promise<number> {
  return withTransaction(pool, async (tx) => {
    const { rows } = await tx.query<Recovery & Endpoint>(
      `SELECT endpoint_id AS "endpointId", since, phase, reached_at::text AS "reachedAt", reached_id AS "reachedId",
         asked_at AS "askedAt",
         e.id, seller_id AS "sellerId", url, status
       FROM recoveries JOIN endpoints e ON e.id = endpoint_id LIMIT 1
       FOR UPDATE OF recoveries SKIP LOCKED FOR SHARE OF e SKIP LOCKED`,
    )
    return rows[0] ? goOn(tx, rows[0], rows[0]) : 0
  })
}

/** Makes all deliveries of a lane due together, so that each resource's events arrive in order. */
async function goOn(tx: Db, recovery: Recovery, endpoint: Endpoint): Promise<number> {
  const batch = await nextBatch(tx, recovery, endpoint)
  if (!batch) return enterPhase(tx, recovery, endpoint)
  if (batch.lanes.length > 0) {
    // What failed in a lane of its own is sent in the order of its resource.
    await tx.query(
      `UPDATE deliveries SET lane = ${SHARED_LANE} WHERE id = ANY($1::bigint[]) AND status = 'FAILED' AND lane <> ${SHARED_LANE}`,
      [batch.failed],
    )
    await openByHand(tx, { ...endpoint, endpoint }, batch.lanes)
    await tx.query(
      `UPDATE deliveries SET status = 'PENDING', resent_after = attempts, next_attempt_at = now()
       WHERE lane = ANY($1::uuid[]) AND status = 'FAILED' AND created_at >= $2`,
      [batch.lanes, recovery.since],
    )
    await tx.query(
      `UPDATE deliveries SET resent_after = attempts, next_attempt_at = now()
       WHERE lane = ANY($1::uuid[]) AND status = 'PENDING' AND attempts > resent_after
         AND NOT EXISTS (SELECT FROM lanes WHERE lanes.id = lane AND lease IS NOT NULL AND due_at > now())`,
      [batch.lanes],
    )
  }
  await tx.query('UPDATE recoveries SET reached_at = $2, reached_id = $3 WHERE endpoint_id = $1', [
    recovery.endpointId,
    batch.reachedAt,
    batch.reachedId,
  ])
  return AT_ONCE
}

async function nextBatch(tx: Db, recovery: Recovery, endpoint: Endpoint): Promise<Batch | undefined> {
  const { endpointId, since, phase, reachedAt, reachedId, askedAt } = recovery
  const { rows } =
    phase === 'FAILED'
      ? await tx.query<{ lane: string; at: string; id: string; missed: boolean }>(
          `SELECT ${SHARED_LANE} AS lane, created_at::text AS at, id::text, true AS missed FROM deliveries
           WHERE endpoint_id = $1 AND status = 'FAILED' AND created_at >= $2
             AND (created_at, id) > ($3::timestamptz, $4::bigint)
           ORDER BY created_at, id LIMIT ${AT_ONCE}`,
          [endpointId, since, reachedAt, reachedId || '0'],
        )
      : await tx.query<{ lane: string; at: string; id: string; missed: boolean }>(
          `SELECT waits.id AS lane, due_at::text AS at, waits.id::text, EXISTS (
             SELECT FROM deliveries WHERE lane = waits.id AND status = 'PENDING' AND created_at >= $4) AND NOT EXISTS (
             SELECT FROM deliveries d JOIN attempts ON delivery_id = d.id
             WHERE d.lane = waits.id AND d.status = 'PENDING' AND at > $8) AS missed
           FROM receivers CROSS JOIN LATERAL (
             SELECT id, due_at FROM lanes WHERE receiver_id = receivers.id AND retried = $7 AND lease IS NULL
               AND (due_at, id) > ($5::timestamptz, $6::uuid)
             ORDER BY due_at, id LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED) AS waits
           WHERE ${OF_ENDPOINT} AND ($7 OR receivers.endpoint_id = $1)
           ORDER BY due_at, waits.id LIMIT ${AT_ONCE}`,
          [...ofEndpoint(endpoint), since, reachedAt, reachedId || NO_LANE, phase === 'RETRY', askedAt],
        )
  const last = rows.at(-1)
  if (!last) return undefined
  const lanes = rows.filter(({ missed }) => missed).map(({ lane }) => lane)
  const failed = phase === 'FAILED' ? rows.map(({ id }) => id) : []
  return { lanes, failed, reachedAt: last.at, reachedId: last.id }
}

const NO_LANE = '00000000-0000-0000-0000-000000000000'

/** Enters the next phase. An enabled endpoint skips FIRST, since its first attempts are due anyway. */
async function enterPhase(tx: Db, { endpointId, phase }: Recovery, { status }: Endpoint): Promise<number> {
  if (phase === 'RETRY') {
    await tx.query('DELETE FROM recoveries WHERE endpoint_id = $1', [endpointId])
    return 0
  }
  const next = phase === 'FAILED' && status === 'DISABLED' ? 'FIRST' : 'RETRY'
  await tx.query(
    `UPDATE recoveries SET phase = $2, reached_id = '',
       reached_at = CASE WHEN $3 THEN '-infinity'::timestamptz ELSE now() END WHERE endpoint_id = $1`,
    [endpointId, next, status === 'DISABLED'],
  )
  return 1
}
