import { databaseNow } from '@cofre/platform/service/database-clock'
import type { Deps } from '../deps'
import { leaseDeadlines } from '../dispute-store/dispute-search-store'
import { readDispute, saveDispute } from '../dispute-store/dispute-store'
import { passDeadline } from '../disputes/pass-deadline'
import { tellMoved } from '../disputes/tell-moved'

const BATCH_SIZE = 50
/** One that is answered meanwhile is looked at again: its answer may not arrive. */
const AGAIN_MS = 600_000

/** Reminds sellers of disputes that wait for their answer, and ends those that nobody answered. Returns how many. */
export async function passDeadlines(deps: Deps): Promise<number> {
  const at = databaseNow()
  const keys = await leaseDeadlines(deps.pool, { at, again: at + AGAIN_MS, batch: BATCH_SIZE })
  for (const key of keys) {
    const { dispute } = await readDispute(deps.pool, key)
    const decision = passDeadline(dispute, at)
    if (decision && (await saveDispute(deps.pool, decision)))
      tellMoved(deps, decision.before, decision.dispute)
  }
  return keys.length
}
