import type { Pool } from '@cofre/platform/postgres/postgres'
import { expectLanes, makeReceivers } from '../../src/receivers/receiver-store'

type Options = {
  sellerId: number
  endpointId: number | null
  url: string
  count: number
  /** The charge of the first one; the others follow. */
  firstId?: number
  sequence?: number
  status?: 'PENDING' | 'FAILED'
  /** Nothing was attempted yet. Otherwise one attempt of each failed. */
  isFirst?: boolean
  ageDays?: number
  /** Seconds from now to the next attempt. */
  dueInSeconds?: number
}

/** Stores deliveries of `count` charges, and the lanes and the receiver in which those that are pending wait. */
export async function storeWaiting(pool: Pool, options: Options): Promise<void> {
  const { sellerId, endpointId, url, count, firstId = 1, sequence = 1, status = 'PENDING' } = options
  const { isFirst = false, ageDays = 0, dueInSeconds = 3_600 } = options
  await pool.query(
    `INSERT INTO deliveries (webhook_id, endpoint_id, seller_id, event_type, resource_kind, resource_id, resource_url,
       sequence, url, body, traceparent, status, attempts, last_status, created_at, next_attempt_at)
     SELECT 'evt_' || md5(random()::text || id), $1, $2, 'charge.captured', 'charge', id::text, 'https://pay.example/c',
       $3::int, $4, json_build_object('sequence', $3::int, 'resource', json_build_object('id', id)),
       '00-' || md5(id::text) || '-' || left(md5(id::text), 16) || '-00', $5::text, CASE WHEN $10 THEN 0 ELSE 1 END,
       CASE WHEN $10 THEN NULL ELSE 500 END, now() - $6 * interval '1 day',
       CASE WHEN $5::text = 'PENDING' AND NOT $10 THEN now() + $9 * interval '1 second' END
     FROM generate_series($7::int, $7::int + $8::int - 1) AS id`,
    [endpointId, sellerId, sequence, url, status, ageDays, firstId, count, dueInSeconds, isFirst],
  )
  if (status === 'FAILED') return
  const [receiverId = 0] = await makeReceivers(pool, [{ sellerId, endpointId, url }])
  await pool.query(
    `INSERT INTO lanes (id, receiver_id, retried, due_at)
     SELECT DISTINCT lane, $1::bigint, NOT $4::boolean, now() + $5 * interval '1 second' FROM deliveries
     WHERE status = 'PENDING' AND seller_id = $2 AND url = $3
       AND resource_id::int BETWEEN $6::int AND $6::int + $7::int - 1 ON CONFLICT DO NOTHING`,
    [receiverId, sellerId, url, isFirst, dueInSeconds, firstId, count],
  )
  await expectLanes(pool, new Map([[receiverId, dueInSeconds * 1_000]]))
}
