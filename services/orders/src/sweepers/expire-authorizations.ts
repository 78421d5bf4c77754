import { randomUUID } from 'node:crypto'
import { databaseNow } from '@cofre/platform/service/database-clock'
import { ACQUIRERS, type AcquirerName } from '../acquirer/acquirer-name'
import { findExpired } from '../charge-store/charge-schedule-store'
import { updateCharge } from '../charge-store/charge-store'
import { termsFrom, type Deps } from '../deps'
import { expire } from '../charge/release'
import { workOnCharge } from './charge-in-call'

const BATCH_SIZE = 50
const DAY_MS = 86_400_000

/** Marks authorizations that were not captured in time for release. Returns how many. */
export async function expireAuthorizations(deps: Deps): Promise<number> {
  let marked = 0
  for (const acquirer of ACQUIRERS) marked += await expireAt(deps, acquirer)
  return marked
}

async function expireAt(deps: Deps, acquirer: AcquirerName): Promise<number> {
  const { captureWindowDays } = deps.acquirers[acquirer].capabilities
  const madeBefore = databaseNow() - captureWindowDays * DAY_MS
  const keys = await findExpired(deps.pool, acquirer, madeBefore, BATCH_SIZE)
  let marked = 0
  for (const key of keys) {
    await workOnCharge(deps, key, 'charge not expired', async () => {
      const { charge: expired } = await updateCharge(deps.pool, key, (charge) =>
        expire(charge, termsFrom(deps, acquirer, randomUUID())),
      )
      if (expired.askAt !== null) marked += 1
    })
  }
  return marked
}
