import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import type { Deps } from '../deps'
import { forgetDiscarded, leaseDiscarded } from '../payment-store/kept-card-store'

const BATCH_SIZE = 20
const FIRST_MS = 5_000
const MAX_MS = 600_000
const TIMEOUT_MS = 10_000

/** Has the vault destroy cards of ours that nobody keeps any more. Returns how many it tried. */
export async function destroyDiscarded({ pool, log, cards }: Deps): Promise<number> {
  const lease = { at: Date.now(), firstMs: FIRST_MS, maxMs: MAX_MS, batch: BATCH_SIZE, inHand: [] }
  const discarded = await leaseDiscarded(pool, lease)
  for (const card of discarded) {
    const { sellerId, cardId } = card
    try {
      await runCall(newCall({ timeoutMs: TIMEOUT_MS }), () => cards.destroy(sellerId, cardId))
      await forgetDiscarded(pool, card)
    } catch (err) {
      log.warn({ sellerId, cardId, err }, 'unused card not destroyed yet, will try again')
    }
  }
  return discarded.length
}
