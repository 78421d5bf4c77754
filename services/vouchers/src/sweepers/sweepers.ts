import { observeOutbox, startRelay } from '@cofre/platform/events/outbox'
import { forgetMarks } from '@cofre/platform/idempotency/mark'
import { pendingTooLongBefore } from '@cofre/platform/operation/terms'
import { foldDayChanges } from '@cofre/platform/postgres/day-sums-store'
import { repeat, type Loop } from '@cofre/platform/service/lifecycle'
import { observe } from '@cofre/platform/telemetry/metrics'
import type { SweeperDeps } from '../deps'
import { countPendingTooLong, oldestPendingAge } from '../payment-store/payment-schedule-store'
import { destroyAllDiscarded } from './destroy-discarded'
import { lookAgain } from './look-again'
import { resolveTokens } from './resolve-tokens'
import { startResolver } from './resolve-payments'

const LOOK_EVERY_MS = 60_000
const DESTROY_EVERY_MS = 5_000
const RESOLVE_TOKENS_EVERY_MS = 1_000
const FOLD_EVERY_MS = 1_000
const FORGET_EVERY_MS = 600_000

/** Starts the background loops; any number of replicas may run each at once. */
export function startSweepers(deps: SweeperDeps): Loop[] {
  const failed = (what: string) => (err: unknown) => deps.log.error({ err }, `${what} failed`)
  observeOutbox(deps.pool)
  observe(
    'voucher_payments_pending_oldest_age_seconds',
    'Age of the oldest operation of a voucher payment that an issuer is asked about.',
    () => oldestPendingAge(deps.pool),
  )
  observe(
    'voucher_payments_pending_too_long',
    'Voucher payments with an operation that has been pending for too long.',
    () => countPendingTooLong(deps.pool, pendingTooLongBefore(deps.rules)),
  )
  return [
    startRelay(deps.pool, deps.eventLog, failed('relay')),
    startResolver(deps),
    repeat(() => lookAgain(deps), LOOK_EVERY_MS, failed('looking again')),
    repeat(() => resolveTokens(deps), RESOLVE_TOKENS_EVERY_MS, failed('resolving tokens')),
    repeat(() => destroyAllDiscarded(deps), DESTROY_EVERY_MS, failed('destroying')),
    repeat(() => foldDayChanges(deps.pool), FOLD_EVERY_MS, failed('summing of days')),
    repeat(() => forgetMarks(deps.pool), FORGET_EVERY_MS, failed('forgetting')),
  ]
}
