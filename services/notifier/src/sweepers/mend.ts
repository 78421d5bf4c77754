import { repeat, type Loop } from '@cofre/platform/service/lifecycle'
import type { Deps } from '../deps'
import { closeReceivers } from '../endpoints/closing-store'
import { recoverSome } from '../endpoints/recovery-store'
import { noteForgotten } from '../receivers/receiver-store'

const REST_MS = 250
const NET_EVERY_MS = 2_000
const RECEIVERS_AT_ONCE = 5_000

/** Works off large closings and recoveries, and mends what a killed process left unnoted. */
export function startMending({ log, pool }: Deps): Loop {
  let from = 0
  let netAt = 0
  const net = async () => {
    if (Date.now() < netAt) return 0
    from = await noteForgotten(pool, from, RECEIVERS_AT_ONCE)
    if (from === 0) netAt = Date.now() + NET_EVERY_MS
    return from
  }
  const mend = async () => {
    const done = [await closeReceivers(pool), await recoverSome(pool), await net()]
    return done.reduce((sum, each) => sum + each, 0)
  }
  return repeat(mend, REST_MS, (err) => log.warn({ err }, 'mending will try again'))
}
