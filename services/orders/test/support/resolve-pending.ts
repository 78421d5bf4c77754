import type { Deps } from '../../src/deps'
import { resolvePending as resolveOne, takePending } from '../../src/sweepers/resolve-pending'
import { AT_ONCE } from '@cofre/platform/operation/resolver'

/** Runs one turn of the sweeper to its end. Returns how many charges it asked about. */
export async function resolvePending(deps: Deps): Promise<number> {
  const taken = await takePending(deps, AT_ONCE)
  await Promise.all(taken.map((key) => resolveOne(deps, key)))
  return taken.length
}
