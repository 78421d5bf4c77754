import { repeat, type Loop } from '@cofre/platform/service/lifecycle'
import type { Deps } from '../deps'
import { removeRetired, retireIdle } from '../receivers/idle-receiver-store'

/** How many idle hosts keep their receiver; any other host gets a new receiver when it is named again. */
const KEPT = 10_000
const REST_MS = 60_000

/** Removes receivers that nobody sends to: those retired in one round are removed in the next. */
export function startRetiring(
  { log, pool }: Pick<Deps, 'log' | 'pool'>,
  kept = KEPT,
  restMs = REST_MS,
): Loop {
  let retired: number[] = []
  const retire = async () => {
    await removeRetired(pool, retired)
    retired = await retireIdle(pool, kept)
    return 0
  }
  return repeat(retire, restMs, (err) => log.warn({ err }, 'retiring receivers will try again'))
}
