import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { Listener, type CreateListenerRequest } from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from '../deps'
import { insertListener } from '../listeners/listener-store'
import { keptSealed } from '../secrets/kept-sealed'

export function createListener(
  { pool, secretKey }: Deps,
  { sellerId, events }: CreateListenerRequest,
): Promise<Replayable<Listener>> {
  const kept = keptSealed(Listener, secretKey, `new listener of seller ${sellerId}`)
  return withIdempotency(pool, sellerId, kept, async (tx) => {
    const { id, secret, createdAt, ...made } = await insertListener(tx, secretKey, { sellerId, events })
    return { id, secret, events: made.events, createdAt: createdAt.getTime() }
  })
}
