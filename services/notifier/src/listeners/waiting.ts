import { setTimeout as rest } from 'node:timers/promises'
import { databaseNow } from '@cofre/platform/service/database-clock'

const OF_SELLER = 5
const ALL = 100
const LOOK_MS = 200

/** Limits the readers that wait for events in this process, for a seller and in all. Others are answered at once. */
export function openWaiting(ofSeller = OF_SELLER, all = ALL) {
  const waiting = new Map<number, number>()
  let running = 0
  const count = (sellerId: number, change: number) => {
    running += change
    const left = (waiting.get(sellerId) ?? 0) + change
    if (left > 0) waiting.set(sellerId, left)
    else waiting.delete(sellerId)
  }
  return {
    /** Looks until there is something, or until `endsAt`, epoch milliseconds. */
    async until<Found>(sellerId: number, endsAt: number, look: () => Promise<Found[]>): Promise<Found[]> {
      const found = await look()
      const mayWait = running < all && (waiting.get(sellerId) ?? 0) < ofSeller
      if (found.length > 0 || !mayWait) return found
      count(sellerId, 1)
      try {
        for (let left = endsAt - databaseNow(); left > 0; left = endsAt - databaseNow()) {
          await rest(Math.min(LOOK_MS, left))
          const later = await look()
          if (later.length > 0) return later
        }
        return []
      } finally {
        count(sellerId, -1)
      }
    },
  }
}

export type Waiting = ReturnType<typeof openWaiting>
