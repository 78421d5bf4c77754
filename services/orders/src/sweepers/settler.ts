import type { Loop } from '@cofre/platform/service/lifecycle'
import { manyAtOnce } from '@cofre/platform/service/many-at-once'
import type { ChargeKey } from '../charge-store/charge-store'
import type { Deps } from '../deps'
import { settlePending, takePending } from './settle-pending'

export const AT_ONCE = 20

/** Settles charges whose time to ask has come, until stopped. Any number of replicas may run it. */
export function startSettler(deps: Deps): Loop {
  return manyAtOnce<ChargeKey>(
    {
      atOnce: AT_ONCE,
      nameOf: ({ id }) => id,
      take: (room, inHand) => takePending(deps, room, inHand),
      work: (key) => settlePending(deps, key),
    },
    deps.rules.settleEveryMs,
    (err) => deps.log.error({ err }, 'settling failed'),
  )
}
