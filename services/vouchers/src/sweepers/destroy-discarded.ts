import type { Deps } from '../deps'
import { forgetDiscarded, leaseDiscarded, type TokenKey } from '../tokens/token-store'

const BATCH_SIZE = 50
const FIRST_MS = 5_000
const MAX_MS = 600_000

/** Has the vault destroy the numbers of tokens that were deleted, or never saved. Returns how many it tried. */
export async function destroyAllDiscarded(deps: Deps): Promise<number> {
  const lease = { at: Date.now(), firstMs: FIRST_MS, maxMs: MAX_MS, batch: BATCH_SIZE }
  const keys = await leaseDiscarded(deps.pool, lease)
  await Promise.all(keys.map((key) => destroyDiscarded(deps, key)))
  return keys.length
}

/** One token; what fails is tried again by the sweeper. */
export async function destroyDiscarded({ pool, log, numbers }: Deps, key: TokenKey): Promise<void> {
  try {
    await numbers.destroy(key)
    await forgetDiscarded(pool, key)
  } catch (err) {
    log.warn({ sellerId: key.sellerId, err }, 'a voucher number is destroyed later')
  }
}
