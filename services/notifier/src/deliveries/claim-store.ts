import { withTransaction, type Pool } from '@cofre/platform/postgres/postgres'
import type { Delivery } from './delivery'
import { closeEmpty } from './lane-store'

/** The head of a lane, leased for one attempt. */
export type Claimed = {
  lane: string
  lease: string
  receiverId: number
  /** Whether an attempt of it failed before. */
  retried: boolean
  delivery: Delivery
  endpoint: EndpointFacts | null
}

/** Facts about the endpoint of a delivery; `gone`: it was deleted. */
export type EndpointFacts = { gone: boolean; failing: boolean; headersSealed: Buffer | null }

/** How many attempts may begin for a receiver, and how many of them may be retries. */
export type Share = { receiverId: number; attempts: number; retries: number }

const COLUMNS = `d.id, d.webhook_id AS "webhookId", d.endpoint_id AS "endpointId", d.seller_id AS "sellerId",
  d.event_type AS "eventType", d.resource_kind AS "resourceKind", d.resource_id AS "resourceId",
  d.resource_url AS "resourceUrl", d.sequence, coalesce(e.url, d.url) AS url, d.body, d.traceparent, d.attempts,
  d.resent_after AS "resentAfter"`

type Lane = Pick<Claimed, 'lease' | 'receiverId' | 'retried'> & { id: string }
type Head = Delivery & EndpointFacts & { lane: string }

/** A first attempt goes before every retry of its receiver. Each index range is read from its start, at any backlog. */
export const CLAIM = `WITH share AS (SELECT * FROM unnest($1::bigint[], $2::int[], $3::int[]) AS r(id, attempts, retries)),
  picked AS (
    SELECT lane.id FROM share CROSS JOIN LATERAL (
      SELECT id FROM (SELECT id FROM lanes WHERE receiver_id = share.id AND NOT retried AND due_at <= now()
        ORDER BY due_at LIMIT share.attempts FOR UPDATE SKIP LOCKED) AS first
      UNION ALL
      SELECT id FROM (SELECT id FROM lanes WHERE receiver_id = share.id AND retried AND due_at <= now()
        ORDER BY due_at LIMIT share.retries FOR UPDATE SKIP LOCKED) AS again
      LIMIT share.attempts) AS lane)
  UPDATE lanes SET due_at = now() + $4::float8 * interval '1 millisecond', lease = gen_random_uuid()
  WHERE id = ANY(ARRAY(SELECT id FROM picked))
  RETURNING id, lease, receiver_id AS "receiverId", retried`

/**
 * Leases due lanes and reads the head of each. Two statements on purpose: a head is read after its lane is leased.
 * Otherwise a head that was delivered a moment ago would be sent again.
 */
export async function claimDue(pool: Pool, shares: readonly Share[], leaseMs: number): Promise<Claimed[]> {
  if (shares.length === 0) return []
  const { rows: lanes } = await pool.query<Lane>({
    name: 'claim-due-lanes',
    text: CLAIM,
    values: [
      shares.map(({ receiverId }) => receiverId),
      shares.map(({ attempts }) => attempts),
      shares.map(({ retries }) => retries),
      leaseMs,
    ],
  })
  if (lanes.length === 0) return []
  const heads = await headsOf(pool, lanes).catch(async (error: unknown) => {
    await handBack(pool, lanes)
    throw error
  })
  const headOf = new Map(heads.map((head) => [head.lane, head]))
  const empty = lanes.filter(({ id }) => !headOf.has(id))
  if (empty.length > 0) await withTransaction(pool, (tx) => closeEmpty(tx, empty))
  return lanes.flatMap(({ id, ...lane }) => {
    const head = headOf.get(id)
    return head ? [claimedOf(id, lane, head)] : []
  })
}

async function headsOf(pool: Pool, lanes: readonly Lane[]): Promise<Head[]> {
  const { rows } = await pool.query<Head>({
    name: 'heads-of-lanes',
    text: `SELECT wanted.id AS lane, head.* FROM unnest($1::uuid[]) AS wanted(id) CROSS JOIN LATERAL (
        SELECT ${COLUMNS}, d.endpoint_id IS NOT NULL AND e.id IS NULL AS gone, e.failing_since IS NOT NULL AS failing,
          e.headers_sealed AS "headersSealed"
        FROM deliveries d LEFT JOIN endpoints e ON e.id = d.endpoint_id
        WHERE d.lane = wanted.id AND d.status = 'PENDING' ORDER BY d.sequence, d.id LIMIT 1) AS head`,
    values: [lanes.map(({ id }) => id)],
  })
  return rows
}

/** Makes lanes due at once. If that fails too, they are due when their lease runs out. */
async function handBack(pool: Pool, lanes: readonly Lane[]): Promise<void> {
  await pool.query(
    'UPDATE lanes SET due_at = now(), lease = NULL WHERE id = ANY($1::uuid[]) AND lease = ANY($2::uuid[])',
    [lanes.map(({ id }) => id), lanes.map(({ lease }) => lease)],
  )
}

function claimedOf(id: string, lane: Omit<Lane, 'id'>, head: Head): Claimed {
  const { lane: _lane, gone, failing, headersSealed, ...delivery } = head
  const endpoint = delivery.endpointId === null ? null : { gone, failing, headersSealed }
  return { lane: id, ...lane, delivery, endpoint }
}

/** Seconds since the oldest due delivery came due; deliveries of disabled endpoints do not count. */
export async function oldestDueAge(pool: Pool): Promise<number> {
  const { rows } = await pool.query(
    `SELECT greatest(coalesce(extract(epoch FROM now() - min(due)), 0), 0)::float8 AS age FROM receivers
     CROSS JOIN LATERAL (
       SELECT least(
         (SELECT min(due_at) FROM lanes WHERE receiver_id = receivers.id AND NOT retried),
         (SELECT min(due_at) FROM lanes WHERE receiver_id = receivers.id AND retried)) AS due) AS lane
     WHERE state = 'OPEN' AND next_at < 'infinity'`,
  )
  return rows[0].age
}
