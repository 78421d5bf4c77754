import type { Loop } from '@cofre/platform/service/lifecycle'
import { manyAtOnce } from '@cofre/platform/service/many-at-once'
import type { Deps } from '../deps'
import type { PaymentKey } from '../payment-store/payment-store'
import { settlePending, takePending } from './settle-payments'

export const AT_ONCE = 20

/** Settles payments that are due until stopped; any number of replicas may run. */
export function startSettler(deps: Deps): Loop {
  return manyAtOnce<PaymentKey>(
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
