import type { Db } from '@cofre/platform/postgres/postgres'
import type { Endpoint } from '../endpoints/endpoint'
import { nameByHand } from '../receivers/receiver'
import { expectLanes, makeReceivers } from '../receivers/receiver-store'

/** Where a delivery goes: to an endpoint, or to the URL of a request. */
export type Destination = { sellerId: number; url: string; endpoint: Pick<Endpoint, 'id' | 'status'> | null }

/**
 * Makes lanes due now at their seller's request, and opens closed ones; a running attempt keeps its lease. A disabled
 * endpoint gets nothing by itself, so the requested deliveries go through a receiver of their own.
 */
export async function openByHand(
  tx: Db,
  { sellerId, url, endpoint }: Destination,
  lanes: readonly string[],
): Promise<void> {
  const [receiverId = 0] = await makeReceivers(tx, [
    endpoint?.status === 'DISABLED'
      ? { sellerId, endpointId: null, url, name: nameByHand(endpoint.id) }
      : { sellerId, endpointId: endpoint?.id ?? null, url },
  ])
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
