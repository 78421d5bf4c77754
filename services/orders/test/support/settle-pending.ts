import type { Deps } from '../../src/deps'
import { settlePending as settleOne, takePending } from '../../src/sweepers/settle-pending'
import { AT_ONCE } from '../../src/sweepers/settler'

/** Runs one turn of the sweeper to its end. Returns how many charges it asked about. */
export async function settlePending(deps: Deps): Promise<number> {
  const taken = await takePending(deps, AT_ONCE)
  await Promise.all(taken.map((key) => settleOne(deps, key)))
  return taken.length
}
