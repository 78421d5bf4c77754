import { forgetMarks } from '@cofre/platform/idempotency/mark'
import { forgetHandled } from '@cofre/platform/events/inbox'
import { repeat, type Loop } from '@cofre/platform/service/lifecycle'
import { forgetDeliveries } from '../deliveries/delivery-store'
import type { Deps } from '../deps'
import { forgetDisablings } from '../endpoints/disabling-store'
import { forgetListeners } from '../listeners/listener-store'
import { forgetRetiredSecrets } from '../secrets/secret-store'

const REST_MS = 60_000

/** Removes expired rows, a batch at once. */
export function startForgetting({ log, pool }: Deps): Loop {
  const forget = async () => {
    const counts = [
      await forgetDeliveries(pool),
      await forgetRetiredSecrets(pool),
      await forgetHandled(pool),
      await forgetMarks(pool),
      await forgetListeners(pool),
      await forgetDisablings(pool),
    ]
    return counts.reduce((sum, count) => sum + count, 0)
  }
  return repeat(forget, REST_MS, (err) => log.warn({ err }, 'forgetting will try again'))
}
