import { databaseNow } from '@cofre/platform/service/database-clock'
import { redirectBrand } from '../brands/brand'
import type { Deps } from '../deps'
import { forgetDiscarded, leaseDiscarded, type Discarded } from '../tokens/token-store'

const BATCH_SIZE = 50
const FIRST_MS = 5_000
const MAX_MS = 600_000

/** Destroys the data of tokens that were deleted, came to nothing, or were never saved. Returns how many it tried. */
export async function destroyAllDiscarded(deps: Deps): Promise<number> {
  const lease = { at: databaseNow(), firstMs: FIRST_MS, maxMs: MAX_MS, batch: BATCH_SIZE, inHand: [] }
  const discarded = await leaseDiscarded(deps.pool, lease)
  await Promise.all(discarded.map((each) => destroyDiscarded(deps, each)))
  return discarded.length
}

/** Takes back one token's grant at the identity provider, then destroys the vault's data. A failure is tried again. */
export async function destroyDiscarded(deps: Deps, discarded: Discarded): Promise<void> {
  const { pool, log, numbers } = deps
  const { sellerId } = discarded
  try {
    if (!(await takeBack(deps, discarded))) {
      log.warn({ sellerId }, 'grant not revoked yet, will try again')
      return
    }
    await numbers.destroy(discarded)
    await forgetDiscarded(pool, discarded)
  } catch (err) {
    log.warn({ sellerId, err }, 'data of a voucher token not destroyed yet, will try again')
  }
}

async function takeBack(
  { brands, identityProvider, rules }: Deps,
  { token, sellerId, brand: name, clientId, codeVerifier }: Discarded,
): Promise<boolean> {
  const brand = name === null ? undefined : redirectBrand(brands, name)
  if (!brand || clientId === null) return true
  const deadline = databaseNow() + rules.issuerTimeoutMs
  return identityProvider.takeBack(brand, { token, sellerId, clientId, deadline }, codeVerifier)
}
