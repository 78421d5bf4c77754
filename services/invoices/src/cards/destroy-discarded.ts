import { databaseNow } from '@cofre/platform/service/database-clock'
import { workInCall } from '@cofre/platform/operation/work-in-call'
import type { Deps } from '../deps'
import { leaseBeingStored } from './store/being-stored-store'
import { discardBeingStored } from './cards-being-stored'
import { forgetDiscarded, leaseDiscarded } from './store/kept-card-store'

const BATCH_SIZE = 20
const FIRST_MS = 5_000
const MAX_MS = 600_000
const TIMEOUT_MS = 10_000

/** Has the vault destroy cards of ours that nobody keeps any more. Returns how many it tried. */
export async function destroyDiscarded({ pool, log, cards }: Deps): Promise<number> {
  const lease = { at: databaseNow(), firstMs: FIRST_MS, maxMs: MAX_MS, batch: BATCH_SIZE, inHand: [] }
  const discarded = await leaseDiscarded(pool, lease)
  for (const card of discarded) {
    const { sellerId, cardId } = card
    const limits = { log, timeoutMs: TIMEOUT_MS, what: 'unused card not destroyed yet' }
    await workInCall({ ...limits, facts: { sellerId, cardId } }, async () => {
      await cards.destroy(sellerId, cardId)
      await forgetDiscarded(pool, card)
    })
  }
  return discarded.length
}

/** Discards cards that were stored for payments whose process ended before it noted them. Returns how many it looked at. */
export async function discardForgotten({ pool, log, cards }: Deps): Promise<number> {
  const lease = { at: databaseNow(), firstMs: FIRST_MS, maxMs: MAX_MS, batch: BATCH_SIZE, inHand: [] }
  const forgotten = await leaseBeingStored(pool, lease)
  for (const stored of forgotten) {
    const limits = {
      log,
      timeoutMs: TIMEOUT_MS,
      what: 'a card that no payment has noted is not discarded yet',
    }
    const facts = { sellerId: stored.sellerId }
    await workInCall({ ...limits, facts }, () => discardBeingStored({ pool, cards }, stored))
  }
  return forgotten.length
}
