import type { Deps } from '../../src/deps'
import { settlePending as takePending } from '../../src/sweepers/settle-pending'

const AT_ONCE = 20

/** One turn of the sweeper, to its end. Answers how many charges it asked about. */
export async function settlePending(deps: Deps): Promise<number> {
  const taken = await takePending(deps, AT_ONCE)
  await Promise.all(taken)
  return taken.length
}
