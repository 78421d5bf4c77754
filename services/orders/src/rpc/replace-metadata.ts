import { databaseNow } from '@cofre/platform/service/database-clock'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { Charge, type ReplaceMetadataRequest } from '@cofre/proto/orders/v1/orders'
import { decideLocked } from '../charge-store/charge-store'
import type { Deps } from '../deps'
import { transition } from '../charge/transition'

/** Replaces the metadata. The acquirer is not involved, so one transaction holds the mark and the effect. */
export async function replaceMetadata(
  { pool }: Deps,
  request: ReplaceMetadataRequest,
): Promise<Replayable<Charge>> {
  const { sellerId, chargeId: id, metadata = {} } = request
  return withIdempotency(pool, sellerId, Charge, async (tx) => {
    const { message } = await decideLocked(tx, { sellerId, id }, (current) =>
      transition(current, { metadata }, databaseNow()),
    )
    return message
  })
}
