import { randomUUID } from 'node:crypto'
import { findExpired } from '../charge-store/charge-schedule-store'
import { updateCharge } from '../charge-store/charge-store'
import { termsFrom, type Deps } from '../deps'
import { expire } from '../charge/release'

const BATCH_SIZE = 50
const DAY_MS = 86_400_000

/** Marks authorizations that were not captured in time for release. Returns how many. */
export async function expireAuthorizations(deps: Deps): Promise<number> {
  const madeBefore = Date.now() - deps.rules.captureWindowDays * DAY_MS
  const keys = await findExpired(deps.pool, madeBefore, BATCH_SIZE)
  let marked = 0
  for (const key of keys) {
    try {
      const { charge: expired } = await updateCharge(deps.pool, key, (charge) =>
        expire(charge, termsFrom(deps, randomUUID())),
      )
      if (expired.askAt !== null) marked += 1
    } catch (error) {
      // One charge that can't be marked must not keep the others waiting.
      deps.log.error({ chargeId: key.id, err: error }, 'charge not expired')
    }
  }
  return marked
}
