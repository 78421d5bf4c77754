import { forgetMarks } from '@cofre/platform/idempotency/mark'
import { repeat, type Loop } from '@cofre/platform/service/lifecycle'
import { observe } from '@cofre/platform/telemetry/metrics'
import { observeOutbox, startRelay } from '@cofre/platform/events/outbox'
import type { SweeperDeps } from '../deps'
import { oldestPendingAge } from '../token/network-token-store'

const FORGET_EVERY_MS = 600_000

/** Starts the background loops beside the resolver; each may run in any number of replicas. */
export function startSweepers({ pool, log, eventLog }: SweeperDeps): Loop[] {
  const failed = (what: string) => (err: unknown) => log.error({ err }, `${what} failed`)
  observeOutbox(pool)
  observe(
    'network_tokens_pending_oldest_age_seconds',
    'Age of the oldest network token that is PENDING.',
    () => oldestPendingAge(pool),
  )
  return [
    startRelay(pool, eventLog, failed('relay')),
    repeat(() => forgetMarks(pool), FORGET_EVERY_MS, failed('forgetting')),
  ]
}
