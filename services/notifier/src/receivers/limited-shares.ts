import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Share } from '../deliveries/claim-store'
import { giveBack, payForAttempts, type Wanted } from '../endpoints/rate-store'
import type { DueReceiver } from './receiver-store'

type Taken = ReadonlyMap<number, { taken: number }>

/**
 * Pays for the shares that receivers were offered, and shrinks them where an endpoint's rate limit leaves less.
 * `giveBackUnused` takes the numbers of attempts that began, and gives the rest back.
 */
export async function payForShares(
  pool: Pool,
  due: readonly DueReceiver[],
  offered: readonly Share[],
): Promise<{ shares: Share[]; giveBackUnused: (seen: Taken) => Promise<void> }> {
  const wanted = due.flatMap(({ limited }, at) => {
    const attempts = offered[at]?.attempts ?? 0
    return limited && attempts > 0 ? [{ ...limited, attempts, at }] : []
  })
  const paid = await payForAttempts(pool, mostOfEach(wanted))
  const left = new Map(paid)
  const shares = offered.map((share, at) => {
    const limited = due[at]?.limited
    if (!limited) return share
    const attempts = Math.min(share.attempts, left.get(limited.endpointId) ?? 0)
    left.set(limited.endpointId, (left.get(limited.endpointId) ?? 0) - attempts)
    return { ...share, attempts, retries: Math.min(share.retries, attempts) }
  })
  const giveBackUnused = async (seen: Taken) => {
    const used = new Map<number, number>()
    for (const { id, limited } of due) {
      if (!limited) continue
      used.set(limited.endpointId, (used.get(limited.endpointId) ?? 0) + (seen.get(id)?.taken ?? 0))
    }
    const unused = mostOfEach(wanted).map((each) => ({
      ...each,
      attempts: (paid.get(each.endpointId) ?? 0) - (used.get(each.endpointId) ?? 0),
    }))
    await giveBack(
      pool,
      unused.filter(({ attempts }) => attempts > 0),
    )
  }
  return { shares, giveBackUnused }
}

/** Adds up the attempts wanted for each endpoint, which has two receivers while it is disabled. */
function mostOfEach(wanted: readonly Wanted[]): Wanted[] {
  const each = new Map<number, Wanted>()
  for (const { endpointId, rateLimit, attempts } of wanted) {
    const sum = attempts + (each.get(endpointId)?.attempts ?? 0)
    each.set(endpointId, { endpointId, rateLimit, attempts: sum })
  }
  return [...each.values()]
}
